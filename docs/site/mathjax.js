// Suppresses progress messages over the text, and makes no formula a stop of the Tab key. The font
// that MathJax shows while others load has the address about:blank, which browsers refuse with an
// error for pages opened as files, so we use a local name.
MathJax.Hub.Config({
  messageStyle: "none",
  menuSettings: { inTabOrder: false },
  "HTML-CSS": { styles: { "@font-face": { "font-family": "MathJax_Blank", src: "local('MathJax_Blank')" } } }
});
