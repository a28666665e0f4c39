/** Somebody has stopped typing. */
const pauseMs = 350;

/** Not of the page that a payer would see, or not for an address. */
const left = new Set(["form", "once", "as"]);

/** Shows the page that a form is about to make, as it is typed. What is there stays until the next one is. */
export function followPreview(): void {
  const first = document.querySelector<HTMLIFrameElement>("iframe#preview");
  if (!first) return;
  let shown = first;
  fit(shown);
  const form = document.querySelector<HTMLFormElement>("form.link-form");
  if (!form) return;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const refresh = () => {
    const query = new URLSearchParams();
    for (const [name, value] of new FormData(form))
      if (typeof value === "string" && !left.has(name)) query.append(name, value);
    const src = `${shown.src.split("?")[0]}?${query}`;
    const next = shown.cloneNode() as HTMLIFrameElement;
    next.src = src;
    next.hidden = true;
    next.id = "";
    next.addEventListener("load", () => {
      if (!next.isConnected) return;
      next.hidden = false;
      next.id = shown.id;
      shown.remove();
      shown = next;
      setHeight(next);
    });
    // One that is not loaded yet is out of date.
    for (const late of document.querySelectorAll("iframe.preview-frame[hidden]")) late.remove();
    shown.after(next);
  };
  form.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(refresh, pauseMs);
  });
}

/** As tall as its page, which may grow. */
function fit(frame: HTMLIFrameElement): void {
  frame.addEventListener("load", () => setHeight(frame));
  if (frame.contentDocument?.readyState === "complete") setHeight(frame);
}

function setHeight(frame: HTMLIFrameElement): void {
  const page = frame.contentDocument?.body.firstElementChild;
  if (page) frame.style.height = `${Math.ceil(page.getBoundingClientRect().height)}px`;
}
