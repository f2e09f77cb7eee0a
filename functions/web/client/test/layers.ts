/** What happy-dom does not have: the top layer. A popover is open while it has the attribute. */

const { prototype } = HTMLElement;
const matches = Element.prototype.matches;

prototype.showPopover = function show() {
  this.setAttribute("data-open", "");
};
prototype.hidePopover = function hide() {
  this.removeAttribute("data-open");
};
Object.defineProperty(Element.prototype, "matches", {
  value(selectors: string) {
    return matches.call(this, selectors.replace(":popover-open", "[data-open]"));
  },
});
