import { describe, expect, test } from "bun:test";
import { htmlOf, rawHtml } from "../../src/lib/jsx/jsx-runtime.ts";

const hostile = `<img src=x onerror=alert(1)>&lt;"'`;
const asText = "&lt;img src=x onerror=alert(1)&gt;&amp;lt;&quot;&#x27;";

describe("JSX", () => {
  test("escapes what stands between tags and in attributes, wherever it comes from", () => {
    const Named = ({ name, children }: { name: string; children?: string }) => (
      <p title={name}>
        {name}
        {children}
      </p>
    );
    expect(String(<b>{hostile}</b>)).toBe(`<b>${asText}</b>`);
    expect(String(<b>{[hostile, [hostile]]}</b>)).toBe(`<b>${asText}${asText}</b>`);
    expect(
      String(
        <>
          {[hostile]} {1}
        </>,
      ),
    ).toBe(`${asText} 1`);
    const attribute = asText.replace("&#x27;", "'");
    expect(String(<Named name={hostile}>{hostile}</Named>)).toBe(
      `<p title="${attribute}">${asText}${asText}</p>`,
    );
  });

  test("takes an element for markup, and nothing that only looks like one", () => {
    const forged = JSON.parse('{"html":"<b>"}');
    expect(String(<p>{<br />}</p>)).toBe("<p><br/></p>");
    expect(String(<p>{rawHtml("<b>")}</p>)).toBe("<p><b></p>");
    expect(String(<p>{forged}</p>)).not.toContain("<b>");
    expect(htmlOf({ toString: () => "<b>" } as never)).not.toContain("<b>");
  });

  test("leaves out what is not there, and never writes half a character", () => {
    expect(
      String(
        <p hidden={false} title={undefined} id="a">
          {null}
          {false}
          {undefined}
          {0}
        </p>,
      ),
    ).toBe('<p id="a">0</p>');
    expect(String(<input disabled value={"\ud800"} />)).toBe('<input disabled value="\ufffd"/>');
  });
});
