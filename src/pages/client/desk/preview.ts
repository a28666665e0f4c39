/** Pause after typing. */
const pauseMs = 350;

/** Fields that are not part of the payer's page, or do not belong in an address. */
const left = new Set(["form", "once", "as"]);

/** Previews the page that a form will create, as it is typed. The old preview stays until the next one is loaded. */
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
    // A preview still loading is out of date.
    for (const late of document.querySelectorAll("iframe.preview-frame[hidden]")) late.remove();
    shown.after(next);
  };
  form.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(refresh, pauseMs);
  });
}

/** Sizes the frame to its page, which may grow. */
function fit(frame: HTMLIFrameElement): void {
  frame.addEventListener("load", () => setHeight(frame));
  if (frame.contentDocument?.readyState === "complete") setHeight(frame);
}

function setHeight(frame: HTMLIFrameElement): void {
  const page = frame.contentDocument?.body.firstElementChild;
  if (page) frame.style.height = `${Math.ceil(page.getBoundingClientRect().height)}px`;
}
