// SPDX-License-Identifier: MIT
// A keyed hash, and values that are out of reach while nobody has opened them.
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>

#include "base/sealed_page.hpp"
#include "base/siphash.hpp"
#include "support/catch.hpp"

TEST_CASE("SipHash-2-4 is what its authors say it is", "[base]") {
  // Appendix A of the paper, and from the table of vectors beside the authors' code the hashes of
  // no byte and of eight.
  const base::SipKey key = {0x0706050403020100, 0x0f0e0d0c0b0a0908};
  std::string text;
  for (char c = 0; c < 15; ++c) text += c;
  CHECK(base::siphash(key, text) == 0xa129ca6149be45e5);
  CHECK(base::siphash(key, "") == 0x726fdb47dd0e0e31);
  CHECK(base::siphash(key, text.substr(0, 8)) == 0x93f5f5799a932462);
}

namespace {

struct Secret {
  int number = 7;
};
using Page = base::SealedPage<Secret, 0x5ea3'0000'0000>;

#ifndef __SANITIZE_ADDRESS__
/// How a process ends that looks at the page without opening it.
int signal_of_a_look(bool writes) {
  int* place = nullptr;
  {
    const Page::Open open;
    place = &open->number;
  }
  const pid_t child = ::fork();
  if (child == 0) {
    ::signal(SIGSEGV, SIG_DFL);
    if (writes) *static_cast<volatile int*>(place) = 8;
    ::_exit(*static_cast<volatile int*>(place) == 0 ? 0 : 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}
#endif

}  // namespace

TEST_CASE("a sealed value can be read and written by who opens it, and by nobody else", "[base]") {
  Page::make();
  CHECK(Page::Open()->number == 7);
  Page::Open()->number = 9;
  CHECK(Page::Open()->number == 9);
#ifndef __SANITIZE_ADDRESS__
  CHECK(signal_of_a_look(false) == SIGSEGV);
  CHECK(signal_of_a_look(true) == SIGSEGV);
#endif
  CHECK(Page::Open()->number == 9);
}
