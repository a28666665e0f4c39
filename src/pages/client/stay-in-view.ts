/** In pixels, as in the style sheet: what stays free above and below. */
const marginPx = 24;

/**
 * Lets a sticky element that is taller than the window scroll until its end is in view, and stay there. The style
 * sheet alone can only keep its top in view.
 */
export function stayInView(element: HTMLElement): void {
  const place = () => {
    const topPx = Math.min(marginPx, innerHeight - element.offsetHeight - marginPx);
    element.style.setProperty("top", `${topPx}px`);
  };
  new ResizeObserver(place).observe(element);
  addEventListener("resize", place);
}
