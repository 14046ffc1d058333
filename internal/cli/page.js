"use strict";
// Shows what has changed, part by part, and leaves alone what has not, and any part
// in which somebody is: with the focus, or with a selection.
const partsOf = (root) => new Map([...root.querySelectorAll("[data-part]")].map((e) => [e.dataset.part, e]));
const inUse = (e) => {
  const s = getSelection();
  return e.contains(document.activeElement) || (!s.isCollapsed && s.rangeCount > 0 && s.getRangeAt(0).intersectsNode(e));
};
function show(next) {
  const now = partsOf(document);
  const wanted = partsOf(next);
  for (const [name, e] of now) {
    if (!wanted.has(name) && !inUse(e)) e.remove();
  }
  let last = null;
  for (const [name, e] of wanted) {
    let part = now.get(name);
    if (!part) part = document.importNode(e, true);
    else if (part.innerHTML !== e.innerHTML && !inUse(part)) part.replaceChildren(...document.importNode(e, true).childNodes);
    if (last && last.nextElementSibling !== part && !inUse(part)) last.after(part);
    last = part;
  }
  if (document.title !== next.title) document.title = next.title;
}
async function follow() {
  try {
    if (!document.hidden) {
      const answer = await fetch("/", { headers: { Accept: "text/html" }, cache: "no-store" });
      show(new DOMParser().parseFromString(await answer.text(), "text/html"));
    }
  } catch {
    document.querySelector('[data-part="status"]').textContent = "The preview does not answer.";
  }
  setTimeout(follow, 2000);
}
setTimeout(follow, 2000);
