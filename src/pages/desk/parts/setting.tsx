import { Html } from "@elysiajs/html";
import type { WithChildren } from "../../layout.tsx";

/** One thing that can be set or looked at: what it is called and what that means, and beside it how it stands. */
export function Setting({ title, text, children }: WithChildren<{ title: string; text: string }>) {
  const safeChildren = children;
  return (
    <section class="setting">
      <div>
        <h2 safe>{title}</h2>
        <p safe>{text}</p>
      </div>
      {safeChildren}
    </section>
  );
}
