// The little Markdown in which words are explained: paragraphs, code, and rules between.

/**
 * @param {string} text
 * @returns {DocumentFragment} the text as elements; what it says becomes text alone
 */
export function rendered(text) {
  const fragment = document.createDocumentFragment();
  for (const [at, piece] of text.split(/^```(?:\w+)?$\n?/m).entries()) {
    if (at % 2 === 1) {
      const code = document.createElement("pre");
      code.textContent = piece.replace(/\n$/, "");
      fragment.append(code);
    } else fragment.append(...paragraphs(piece));
  }
  return fragment;
}

function* paragraphs(text) {
  for (const block of text.split(/\n{2,}/)) {
    const words = block.trim();
    if (words === "") continue;
    if (/^-{3,}$/.test(words)) {
      yield document.createElement("hr");
      continue;
    }
    const paragraph = document.createElement("p");
    for (const [at, piece] of words.split("`").entries()) {
      if (at % 2 === 0) paragraph.append(piece);
      else {
        const code = document.createElement("code");
        code.textContent = piece;
        paragraph.append(code);
      }
    }
    yield paragraph;
  }
}
