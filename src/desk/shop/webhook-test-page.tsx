import { SubmitButton } from "../parts/button.tsx";
import { DeskForm, FaultSummary, type FormFault, TextField } from "../parts/form/form.tsx";
import type { DeskFrame } from "../parts/frame.tsx";
import { headedPage } from "../parts/head.tsx";
import { Pill } from "../parts/state.tsx";

/** What came of a test. */
type TestResult = { isTaken: boolean; text: string; secret: string; body: string };

/** A form for one event that means nothing, and what came of it. */
export function webhookTestPage({
  frame,
  url,
  faults,
  result,
}: {
  frame: DeskFrame;
  url: string;
  faults: readonly FormFault[];
  result: TestResult | null;
}): string {
  const { locale } = frame;
  return headedPage({
    frame,
    place: "settings",
    title: locale.say("testTitle"),
    back: { href: "/desk/settings/webhooks", label: locale.say("settingsWebhooks") },
    line: locale.say("testLine"),
    body: (
      <>
        <DeskForm frame={frame} action="/desk/settings/webhooks/test" className="form form-alone">
          <FaultSummary locale={locale} faults={faults} />
          <TextField
            locale={locale}
            name="url"
            label={locale.say("testUrl")}
            hint={locale.say("testUrlHint")}
            value={url}
            faults={faults}
            extra={{ type: "url", autocomplete: "off", maxlength: "2048", dir: "ltr" }}
          />
          <p>
            <SubmitButton text={locale.say("testSend")} />
          </p>
        </DeskForm>
        {result !== null && (
          <section class="part story" role="status" id="result">
            <p>
              <Pill
                name={result.isTaken ? "paid" : "late"}
                word={locale.say(result.isTaken ? "testTaken" : "testNotTaken")}
              />
            </p>
            <p dir="auto">{result.text}</p>
            <p class="soft">{locale.say("testSigned")}</p>
            <pre class="command" dir="ltr" tabindex="0">
              {result.secret}
            </pre>
            <p class="soft">{locale.say("testBody")}</p>
            <pre class="command" dir="ltr" tabindex="0">
              {result.body}
            </pre>
          </section>
        )}
      </>
    ),
  });
}
