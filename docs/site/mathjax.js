// No progress messages over the text. The font that MathJax shows while others load has the address
// about:blank, which browsers refuse to pages opened as files, with an error: a local name instead.
MathJax.Hub.Config({
  messageStyle: "none",
  "HTML-CSS": { styles: { "@font-face": { "font-family": "MathJax_Blank", src: "local('MathJax_Blank')" } } }
});
