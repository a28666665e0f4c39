import { Html } from "@elysiajs/html";
import type { WithChildren } from "../../layout.tsx";

/** One thing that can be set or looked at: what it is called and what that means, and beside it how it stands. */
export function Setting({
  title,
  text,
  more,
  children,
}: WithChildren<{ title: string; text: string; more?: string }>) {
  const safeChildren = children;
  return (
    <section class="setting">
      <div>
        <h2 safe>{title}</h2>
        <p safe>{text}</p>
        {more !== undefined && <p safe>{more}</p>}
      </div>
      {safeChildren}
    </section>
  );
}
