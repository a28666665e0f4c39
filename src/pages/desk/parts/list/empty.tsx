import type { WithChildren } from "../../../layout.tsx";
import { DeskIcon, type IconName } from "../icon.tsx";

/** Where there is nothing yet: what will be here, why it is worth it, and one button. */
export function Empty({
  icon,
  title,
  text,
  children,
}: WithChildren<{ icon: IconName; title: string; text: string }>) {
  return (
    <div class="empty empty-centre">
      <span class="empty-mark">
        <DeskIcon name={icon} />
      </span>
      <h2>{title}</h2>
      <p>{text}</p>
      {children !== undefined && <div class="actions">{children}</div>}
    </div>
  );
}
