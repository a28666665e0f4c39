import type { DeskFrame } from "../frame.tsx";
import { ButtonLink } from "../parts/button.tsx";
import { DeskIcon, type IconName } from "../parts/icon.tsx";

/** Something that needs somebody: what it is, what it means, and the button beside it. */
export type HomeNeed = {
  icon: IconName;
  isUrgent: boolean;
  title: string;
  text: string;
  /** Null where the reader may not do anything about it. */
  action: { label: string; href: string } | null;
};

/** What needs somebody, the most urgent first; nothing when all is well. */
export function Needs({ frame: { locale }, needs }: { frame: DeskFrame; needs: readonly HomeNeed[] }) {
  return (
    <div id="needs" data-live>
      {needs.length > 0 && (
        <section class="part">
          <div class="part-head">
            <h2>{locale.say("needsAttention")}</h2>
          </div>
          <ul class="attention">
            {needs.map(({ icon, isUrgent, title, text, action }) => (
              <li>
                <DeskIcon name={icon} {...(isUrgent ? { tone: "late" } : {})} />
                <div>
                  <h3 dir="auto">{title}</h3>
                  <p dir="auto">{text}</p>
                </div>
                {action !== null && <ButtonLink href={action.href} kind="quiet small" text={action.label} />}
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}
