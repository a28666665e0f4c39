import type { Locale } from "../../language/locale.ts";
import type { Child } from "../../lib/jsx/jsx-runtime.ts";
import type { Written } from "../smtp/message.ts";
import {
  Button,
  font,
  good,
  ink,
  linkStyle,
  type MailContent,
  mailDocument,
  signature,
  soft,
  table,
  warm,
} from "./mail-layout.tsx";

/** A part of a mail, in both versions. In the text an empty line precedes it unless it `follows`. */
export type Block = {
  text: readonly string[];
  html: Child;
  /** Space above it, in px. */
  above?: number;
  follows?: true;
};

/** Builds a mail from blocks, from top to bottom, skipping nulls. Escapes every text. */
export function mailOf(content: MailContent, blocks: readonly (Block | null)[]): Written {
  const given = blocks.filter((block) => block !== null);
  const present = given.filter(({ text }) => text.length > 0);
  const text = present.flatMap((block, at) => [...(at === 0 || block.follows ? [] : [""]), ...block.text]);
  const rows = given.map(({ html, above = 24 }, at) => (
    <tr>
      <td
        class="inset"
        style={`${font}padding:${at === 0 ? 36 : above}px 40px ${at === given.length - 1 ? "36px" : "0"};`}
      >
        {html}
      </td>
    </tr>
  ));
  return {
    subject: content.subject,
    text: [...text, ...signature(content)].join("\n"),
    html: mailDocument(content, rows),
  };
}

export const looks = {
  soft: { name: "soft", style: soft },
  ink: { name: "ink", style: ink },
  late: { name: "late", style: warm },
  done: { name: "done", style: good },
};
export type Look = keyof typeof looks;

type ProseProps = {
  look?: Look;
  margin?: string;
  size?: number;
  leading?: number;
  more?: string;
  children: Child;
};

/** A paragraph; `size` and `leading` in px. */
export function Prose({ look = "soft", margin = "0", size = 14, children, ...rest }: ProseProps) {
  const { leading = size + 6, more = "" } = rest;
  const { name, style } = looks[look];
  return (
    <p class={name} style={`margin:${margin};font-size:${size}px;line-height:${leading}px;${more}${style}`}>
      {children}
    </p>
  );
}

const bold = "font-weight:600;";

/** The title, with its subject above it and sender and recipient below. */
export const heading = (
  { above, title, below }: { above: readonly Child[]; title: Child; below: Child | null },
  text: readonly string[],
): Block => ({
  text,
  html: (
    <>
      {above.map((line) => (
        <Prose margin="0 0 6px">{line}</Prose>
      ))}
      <h1 class="ink" style={`margin:0;font-size:22px;line-height:30px;font-weight:600;${ink}`}>
        {title}
      </h1>
      {below !== null && (
        <Prose margin="6px 0 0" size={15} leading={22}>
          {below}
        </Prose>
      )}
    </>
  ),
});

/** The mail's main amount, in large type. In the text, `aside` follows it and `lines` come below it. */
export const figure = (
  locale: Locale,
  figures: {
    label: string;
    look: Look;
    amount: string;
    aside?: string | null;
    due?: string | null;
    lines?: readonly string[];
    isTicked?: boolean;
  },
): Block => {
  const { label, look, amount, aside = null, due = null, lines = [], isTicked = false } = figures;
  const { labelled, bracketed } = locale;
  return {
    follows: true,
    above: 28,
    text: [
      `${labelled(label, amount)}${aside === null ? "" : bracketed(aside)}`,
      ...(due === null ? [] : [due]),
      ...lines.flatMap((line) => ["", line]),
    ],
    html: (
      <>
        <Prose look={look} more={bold}>
          {isTicked && "✓ "}
          {label}
        </Prose>
        <p
          class="ink"
          style={`margin:2px 0 0;font-size:34px;line-height:42px;font-weight:700;letter-spacing:-0.5px;${ink}`}
        >
          {amount}
        </p>
        {aside !== null && (
          <Prose margin="2px 0 0" size={15} leading={22}>
            {aside}
          </Prose>
        )}
        {due !== null && (
          <Prose look="ink" margin="4px 0 0" size={17} leading={24}>
            {due}
          </Prose>
        )}
        {lines.map((line) => (
          <Prose look="ink" margin="8px 0 0" size={15} leading={22}>
            {whole(line)}
          </Prose>
        ))}
      </>
    ),
  };
};

/** Keeps an amount and its unit on one line. */
const whole = (text: string) => text.replaceAll(" USDC", "\u00a0USDC");

/** The button, and a note about the attachment. */
export const action = (content: MailContent, label: string, attached: string | null): Block => ({
  text: [content.locale.labelled(label), content.url, ...(attached === null ? [] : ["", attached])],
  html: (
    <>
      <Button content={content} label={label} />
      {attached !== null && <Prose margin="16px 0 0">{attached}</Prose>}
    </>
  ),
});

/** Somebody's words, in lines, under a label; null if there are no lines. */
export const quote = (label: Child, labelText: string, lines: readonly string[]): Block | null =>
  lines.length === 0
    ? null
    : {
        text: [labelText, ...lines],
        html: (
          <>
            <Prose margin="0 0 4px" more={bold}>
              {label}
            </Prose>
            <Prose look="ink" size={15} leading={23} more="word-break:break-word;">
              {lines.map((line) => (
                <>
                  <bdi>{line}</bdi>
                  <br />
                </>
              ))}
            </Prose>
          </>
        ),
      };

export const prose = (text: string): Block => ({
  text: [text],
  html: (
    <Prose look="ink" size={15} leading={22}>
      {text}
    </Prose>
  ),
});

/** Advice on its own background. */
export const panel = (text: readonly string[], html: Child): Block => ({
  above: 28,
  text,
  html: (
    <table {...table} class="panel" style="background:#f3f5f9;border-radius:10px;border-collapse:separate;">
      <tr>
        <td class="soft" style={`${font}padding:16px 20px;font-size:14px;line-height:21px;${soft}`}>
          {html}
        </td>
      </tr>
    </table>
  ),
});

type LinkProps = { content: MailContent; href: string; style?: string; children: Child };

export const Link = ({ content, href, style = "", children }: LinkProps) => (
  <a href={href} class="link" style={`${linkStyle(content.brand)}${style}`}>
    {children}
  </a>
);
