import { createHash } from "node:crypto";
import type { Socket } from "node:net";
import { Duplex } from "node:stream";
import type { Random } from "../support/random.ts";
import type { Life, Time } from "./time.ts";

/** A mail as the server took it. */
export type Mail = { at: number; id: string; to: string; subject: string; text: string };

/** What is wrong with the mail server, as long as it lasts. `cut` after DATA: it may have taken the mail. */
export type MailFault =
  | "down"
  | "hangs"
  | "refuses for now"
  | "refuses for good"
  | "refuses the content"
  | "hangs after DATA"
  | "cut after DATA";

export const mailFaults: readonly MailFault[] = [
  "down",
  "hangs",
  "refuses for now",
  "refuses for good",
  "refuses the content",
  "hangs after DATA",
  "cut after DATA",
];

export type MailHost = ReturnType<typeof createMailHost>;

/** The only mail server there is. */
export function createMailHost(time: Time, random: Random) {
  let fault: MailFault | null = null;
  const mails: Mail[] = [];
  const listeners: ((mail: Mail) => void)[] = [];
  const digest = createHash("sha256");
  const counts = { refusedForGood: 0, unanswered: 0 };
  const delayMs = () => random.between(1, 25);

  function take(content: string, to: string): void {
    const [head = "", ...rest] = content.split("\r\n\r\n");
    const headers = head.replace(/\r\n[ \t]+/g, " ").split("\r\n");
    const header = (name: string) =>
      headers
        .find((line) => line.startsWith(`${name}:`))
        ?.slice(name.length + 1)
        .trim() ?? "";
    const text = rest
      .join("\r\n\r\n")
      .replace(/=\r\n/g, "")
      .replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
    const id = header("Message-ID").replace(/[<>]/g, "");
    const mail = { at: time.now(), id, to, subject: header("Subject"), text };
    digest.update(`${mail.at} ${mail.id} ${mail.to} ${mail.subject}\n`);
    mails.push(mail);
    for (const tell of listeners) tell(mail);
  }

  /** One conversation, in the words of RFC 5321. */
  function converse(say: (text: string) => void, hangUp: () => void): (text: string) => void {
    let to = "";
    let unread = "";
    let inContent = false;
    function onLine(line: string): void {
      const verb = line.slice(0, 4).toUpperCase();
      if (verb === "EHLO") say("250-mail.example\r\n250 SIZE 10000000");
      else if (verb === "QUIT") {
        say("221 bye");
        hangUp();
      } else if (verb === "DATA") {
        inContent = true;
        say("354 go on");
      } else if (verb === "RCPT") {
        to = /<(.*)>/.exec(line)?.[1] ?? "";
        if (fault === "refuses for now") say("451 4.3.0 later");
        else if (fault === "refuses for good") {
          counts.refusedForGood += 1;
          say("550 5.1.1 nobody of this name");
        } else say("250 ok");
      } else say("250 ok");
    }
    function onContent(content: string): void {
      if (fault === "refuses the content") say("451 4.3.0 not now");
      else if (fault === "hangs after DATA" || fault === "cut after DATA") {
        counts.unanswered += 1;
        if (random.chance(0.5)) take(content, to);
        if (fault === "cut after DATA") hangUp();
      } else {
        take(content, to);
        say("250 taken");
      }
    }
    return (text) => {
      unread += text;
      for (;;) {
        const end = inContent ? "\r\n.\r\n" : "\r\n";
        const at = unread.indexOf(end);
        if (at === -1) return;
        const read = unread.slice(0, at);
        unread = unread.slice(at + end.length);
        if (!inContent) onLine(read);
        else {
          inContent = false;
          onContent(read);
        }
      }
    };
  }

  /** A connection of one Till: when that is dead, nothing comes back. */
  function connect(life: Life): Socket {
    let hear: (text: string) => void = () => {};
    // What is sent later comes later.
    let lastAt = 0;
    const later = (run: () => void) => {
      lastAt = Math.max(lastAt, time.now() + delayMs());
      time.after(lastAt - time.now(), run, life);
    };
    const socket = Object.assign(
      new Duplex({
        read() {},
        write(chunk, _, done) {
          later(() => hear(String(chunk)));
          done();
        },
        final(done) {
          done();
        },
      }),
      { bytesRead: 0, setTimeout() {}, setKeepAlive() {}, setNoDelay() {} },
    );
    const say = (text: string) =>
      later(() => {
        if (socket.destroyed) return;
        socket.bytesRead += text.length;
        socket.push(`${text}\r\n`);
      });
    later(() => {
      if (socket.destroyed) return;
      if (fault === "down") {
        socket.destroy(Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" }));
        return;
      }
      socket.emit("connect");
      if (fault === "hangs") return;
      hear = converse(say, () => later(() => socket.destroyed || socket.push(null)));
      say("220 mail.example");
    });
    return socket as unknown as Socket;
  }

  return {
    connect,
    mails,
    counts,
    onMail: (tell: (mail: Mail) => void) => void listeners.push(tell),
    suffer(next: MailFault | null): void {
      fault = next;
    },
    /** Of all mails so far. */
    digest: () => digest.copy().digest("hex"),
  };
}
