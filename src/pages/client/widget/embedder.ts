/** SPEC section 2.4, as the status endpoint answers it. */
export type PaymentStatus = { status: string; received_amount: string; expected_amount: string };

/** SPEC section 3.3. */
const statuses = ["pending", "confirmed", "partial", "excess", "error", "void"];
const amountForm = /^\d{1,16}\.\d{2}$/;

/** Returns just the three fields; null if `value` is not a payment status. */
export function paymentStatusOf(value: unknown): PaymentStatus | null {
  if (typeof value !== "object" || value === null) return null;
  const { status, received_amount, expected_amount } = value as Partial<Record<keyof PaymentStatus, unknown>>;
  if (typeof status !== "string" || !statuses.includes(status)) return null;
  if (!isAmount(received_amount) || !isAmount(expected_amount)) return null;
  return { status, received_amount, expected_amount };
}

function isAmount(value: unknown): value is string {
  return typeof value === "string" && amountForm.test(value);
}

/** In a sandbox without `allow-same-origin`, this page can neither ask its server nor send a form. */
export function tellSandbox(): void {
  if (self.origin !== "null") return;
  document.getElementById("boxed")?.removeAttribute("hidden");
  console.warn("Till: this sandbox needs allow-same-origin");
}

/**
 * The page that frames this one, if it said which it is. Messages only go to it, never from it. `data-slug` of
 * `element` is the checkout's own slug, `data-reusable-slug` that of the reusable link it pays, and
 * `data-parent-origin` the only origin that receives the messages. Without one nothing is sent.
 */
export function embedder(element: HTMLElement) {
  const { slug = "", reusableSlug, parentOrigin = "" } = element.dataset;
  const isTold = parentOrigin !== "" && window.parent !== window;
  const tell = (message: object) => {
    if (isTold) window.parent.postMessage({ ...message, slug, reusable_slug: reusableSlug }, parentOrigin);
  };

  return {
    tellStatus({ status, received_amount, expected_amount }: PaymentStatus): void {
      tell({ type: "till:status", status, received_amount, expected_amount });
    },
    /** Reports that the link has expired: it asks for no more money. */
    tellExpired: () => tell({ type: "till:expired" }),
    /** Reports the height of `content`, in CSS pixels, now and whenever it changes. */
    followSize(content: Element): void {
      if (!isTold) return;
      // None: a frame that came too late is hidden, measures 0, and is shown once it has said so.
      let heightBefore = -1;
      const tellHeight = () => {
        const height = Math.ceil(content.getBoundingClientRect().height);
        if (height === heightBefore) return;
        heightBefore = height;
        tell({ type: "till:size", height });
      };
      // At once, because an observer waits while the tab is in the background.
      tellHeight();
      new ResizeObserver(tellHeight).observe(content);
    },
  };
}
