import type { WithChildren } from "../../../layout.tsx";
import { DeskIcon, type IconName } from "../icon.tsx";

/** Where there is nothing yet: what will be here, why it is worth it, and one button. */
export function Empty({
  icon,
  title,
  text,
  children: safeActions,
}: WithChildren<{ icon: IconName; title: string; text: string }>) {
  return (
    <div class="empty empty-centre">
      <span class="empty-mark">
        <DeskIcon name={icon} />
      </span>
      <h2 safe>{title}</h2>
      <p safe>{text}</p>
      {safeActions !== undefined && <div class="actions">{safeActions}</div>}
    </div>
  );
}
