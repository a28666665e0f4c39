import type { DeskFrame } from "../frame.tsx";
import { SubmitButton } from "../parts/button.tsx";
import { DeskForm, type FormFault, TextField } from "../parts/form/form.tsx";
import { Setting } from "../parts/setting.tsx";

/** What somebody or something is called, and another name for it. */
export function NameForm({
  frame,
  title,
  text,
  action,
  name,
  autocomplete,
  faults,
}: {
  frame: DeskFrame;
  title: string;
  text: string;
  action: string;
  name: string;
  autocomplete: "name" | "off";
  faults: readonly FormFault[];
}) {
  const { locale } = frame;
  return (
    <Setting title={title} text={text}>
      <DeskForm frame={frame} action={action}>
        <TextField
          locale={locale}
          name="name"
          label={title}
          value={name}
          faults={faults}
          extra={{ autocomplete, maxlength: "60" }}
        />
        <p>
          <SubmitButton kind="quiet" text={locale.say("saveName")} />
        </p>
      </DeskForm>
    </Setting>
  );
}
