-- SPDX-License-Identifier: MIT
-- Builds constructed_gfx942.db:  sqlite3 constructed_gfx942.db < constructed_gfx942.sql
--
-- Constructed for the course, not measured: no AMD GPU was at hand. The tables and the view are those
-- of rocpd, which rocprofv3 writes; the counts follow from what the kernels have to do:
--   saxpy           2^26 floats. One v_fma_f32 per wavefront of 64 lanes, six more vector instructions
--                   for addresses and bounds; x and y read in requests of 128 bytes (TCC_BUBBLE), y
--                   written in requests of 64.
--   matrix_product  4096^3 with v_mfma_f32_32x32x2_f32 and a scaling of C (one multiplication, one
--                   multiply-add per element); tiles of 256 read A and B 16 times, C is read and
--                   written once.
-- The times are plausible, nothing more.
CREATE TABLE rocpd_info_pmc(id INTEGER, guid TEXT, agent_id INTEGER, name TEXT, symbol TEXT,
  expression TEXT);
CREATE TABLE rocpd_pmc_event(id INTEGER, guid TEXT, event_id INTEGER, pmc_id INTEGER, value REAL,
  sample_id INTEGER);
CREATE TABLE rocpd_kernel_dispatch(id INTEGER, guid TEXT, agent_id INTEGER, kernel_id INTEGER,
  dispatch_id INTEGER, start INTEGER, "end" INTEGER, event_id INTEGER);
CREATE TABLE rocpd_info_kernel_symbol(id INTEGER, guid TEXT, display_name TEXT);
CREATE VIEW counters_collection AS
  SELECT d.guid guid, d.dispatch_id dispatch_id, d.agent_id agent_id, k.display_name kernel_name,
    i.name counter_name, SUM(e.value) value, d.start start, d."end" "end", d."end" - d.start duration
  FROM rocpd_pmc_event e
  JOIN rocpd_info_pmc i ON e.pmc_id = i.id AND e.guid = i.guid
  JOIN rocpd_kernel_dispatch d ON e.event_id = d.event_id AND e.guid = d.guid
  JOIN rocpd_info_kernel_symbol k ON d.kernel_id = k.id AND d.guid = k.guid
  GROUP BY d.guid, d.dispatch_id, d.agent_id, k.display_name, i.name;

INSERT INTO rocpd_info_pmc VALUES(1,'constructed',1,'SQ_INSTS_VALU','SQ_INSTS_VALU','');
INSERT INTO rocpd_info_pmc VALUES(2,'constructed',1,'SQ_INSTS_VALU_ADD_F32','SQ_INSTS_VALU_ADD_F32','');
INSERT INTO rocpd_info_pmc VALUES(3,'constructed',1,'SQ_INSTS_VALU_FMA_F32','SQ_INSTS_VALU_FMA_F32','');
INSERT INTO rocpd_info_pmc VALUES(4,'constructed',1,'SQ_INSTS_VALU_MFMA_MOPS_F32','SQ_INSTS_VALU_MFMA_MOPS_F32','');
INSERT INTO rocpd_info_pmc VALUES(5,'constructed',1,'SQ_INSTS_VALU_MUL_F32','SQ_INSTS_VALU_MUL_F32','');
INSERT INTO rocpd_info_pmc VALUES(6,'constructed',1,'SQ_INSTS_VALU_TRANS_F32','SQ_INSTS_VALU_TRANS_F32','');
INSERT INTO rocpd_info_pmc VALUES(7,'constructed',1,'TCC_BUBBLE_sum','TCC_BUBBLE_sum','');
INSERT INTO rocpd_info_pmc VALUES(8,'constructed',1,'TCC_EA0_RDREQ_32B_sum','TCC_EA0_RDREQ_32B_sum','');
INSERT INTO rocpd_info_pmc VALUES(9,'constructed',1,'TCC_EA0_RDREQ_sum','TCC_EA0_RDREQ_sum','');
INSERT INTO rocpd_info_pmc VALUES(10,'constructed',1,'TCC_EA0_WRREQ_64B_sum','TCC_EA0_WRREQ_64B_sum','');
INSERT INTO rocpd_info_pmc VALUES(11,'constructed',1,'TCC_EA0_WRREQ_sum','TCC_EA0_WRREQ_sum','');
INSERT INTO rocpd_info_kernel_symbol VALUES(1,'constructed','saxpy');
INSERT INTO rocpd_kernel_dispatch VALUES(1,'constructed',1,1,1,1000000,1210000,1);
INSERT INTO rocpd_pmc_event VALUES(1,'constructed',1,1,7340032,NULL);
INSERT INTO rocpd_pmc_event VALUES(2,'constructed',1,2,0,NULL);
INSERT INTO rocpd_pmc_event VALUES(3,'constructed',1,3,1048576,NULL);
INSERT INTO rocpd_pmc_event VALUES(4,'constructed',1,4,0,NULL);
INSERT INTO rocpd_pmc_event VALUES(5,'constructed',1,5,0,NULL);
INSERT INTO rocpd_pmc_event VALUES(6,'constructed',1,6,0,NULL);
INSERT INTO rocpd_pmc_event VALUES(7,'constructed',1,7,4194304,NULL);
INSERT INTO rocpd_pmc_event VALUES(8,'constructed',1,8,0,NULL);
INSERT INTO rocpd_pmc_event VALUES(9,'constructed',1,9,4194304,NULL);
INSERT INTO rocpd_pmc_event VALUES(10,'constructed',1,10,4194304,NULL);
INSERT INTO rocpd_pmc_event VALUES(11,'constructed',1,11,4194304,NULL);
INSERT INTO rocpd_info_kernel_symbol VALUES(2,'constructed','matrix_product');
INSERT INTO rocpd_kernel_dispatch VALUES(2,'constructed',1,2,2,5000000,6600000,2);
INSERT INTO rocpd_pmc_event VALUES(12,'constructed',2,1,44040192,NULL);
INSERT INTO rocpd_pmc_event VALUES(13,'constructed',2,2,0,NULL);
INSERT INTO rocpd_pmc_event VALUES(14,'constructed',2,3,262144,NULL);
INSERT INTO rocpd_pmc_event VALUES(15,'constructed',2,4,268435456,NULL);
INSERT INTO rocpd_pmc_event VALUES(16,'constructed',2,5,262144,NULL);
INSERT INTO rocpd_pmc_event VALUES(17,'constructed',2,6,0,NULL);
INSERT INTO rocpd_pmc_event VALUES(18,'constructed',2,7,16777216,NULL);
INSERT INTO rocpd_pmc_event VALUES(19,'constructed',2,8,0,NULL);
INSERT INTO rocpd_pmc_event VALUES(20,'constructed',2,9,17825792,NULL);
INSERT INTO rocpd_pmc_event VALUES(21,'constructed',2,10,1048576,NULL);
INSERT INTO rocpd_pmc_event VALUES(22,'constructed',2,11,1048576,NULL);
