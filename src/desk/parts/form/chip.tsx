import type { Locale } from "../../../language/locale.ts";
import type { WithChildren } from "../../../pages/layout.tsx";
import { DeskIcon } from "../icon.tsx";

type ChipProps = WithChildren<{ locale: Locale; name: string; label: string; isOpen: boolean }>;

/**
 * Rarely used fields, behind a chip that opens them, also without the script. The form lists the chips it showed:
 * fields in a closed one are not visible, so they do not count.
 */
export const Chip = ({ locale, name, label, isOpen, children }: ChipProps) => (
  <div class="chip">
    <input type="hidden" name="chip" value={name} />
    <input
      type="checkbox"
      class="visually-hidden"
      id={`add-${name}`}
      name={`with_${name}`}
      value="on"
      checked={isOpen}
      autocomplete="off"
    />
    <label for={`add-${name}`}>
      <DeskIcon name="plus" />
      <span class="chip-name">{label}</span>
      <span class="chip-out" aria-hidden="true">
        {locale.say("leaveOut")}
      </span>
    </label>
    <div class="chip-fields">{children}</div>
  </div>
);

/** True if the form showed the chip and it was closed. */
export const isClosed = (form: URLSearchParams, name: string): boolean =>
  form.getAll("chip").includes(name) && !form.has(`with_${name}`);
