import { Html } from "@elysiajs/html";
import type { Language } from "./language/languages.ts";
import { layout } from "./layout.tsx";

export type MessagePageProps = {
  title: string;
  text: string;
  nonce: string;
  /** English when not given. */
  language?: Language | undefined;
};

/** One thing to say to a person: not found, or something went wrong. */
export function messagePage({ title, text, nonce, language }: MessagePageProps): string {
  const body = (
    <main class="page page-narrow">
      <div class="card message">
        <h1 safe>{title}</h1>
        <p class="prose" safe>
          {text}
        </p>
      </div>
    </main>
  );
  return layout({ ...(language && { language }), title, nonce, body: String(body) });
}
