import type { PaymentStatus } from "./payment-status.ts";

/** The page that this one is framed by, if it said which it is. It is told things and never listened to. */
export type Embedder = {
  tellStatus(status: PaymentStatus): void;
  /** Tells how tall `content` is, in CSS pixels, now and whenever that changes. */
  followSize(content: Element): void;
};

/**
 * `data-slug` of `element` says which checkout speaks, and `data-parent-origin` who may hear it: the browser gives the
 * messages to no other origin. Without one nothing is sent.
 */
export function embedder(element: HTMLElement): Embedder {
  const { slug = "", parentOrigin = "" } = element.dataset;
  const isTold = parentOrigin !== "" && window.parent !== window;
  const tell = (message: object) => {
    if (isTold) window.parent.postMessage(message, parentOrigin);
  };

  return {
    tellStatus({ status, received_amount, expected_amount }) {
      tell({ type: "till:status", slug, status, received_amount, expected_amount });
    },
    followSize(content) {
      if (!isTold) return;
      let told = 0;
      const tellHeight = () => {
        const height = Math.ceil(content.getBoundingClientRect().height);
        if (height === told) return;
        told = height;
        tell({ type: "till:size", slug, height });
      };
      // At once, because an observer waits while the tab is in the background.
      tellHeight();
      new ResizeObserver(tellHeight).observe(content);
    },
  };
}
