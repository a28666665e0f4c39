import { Html } from "@elysiajs/html";
import type { Brand } from "../domain/brand.ts";
import { HostedBy } from "./brand-mark.tsx";
import type { Reader } from "./language/reader.ts";
import { layout, type Page } from "./layout.tsx";

export type MessagePageProps = {
  title: string;
  text: string;
  reader: Reader;
  /** Who runs this Till. */
  brand: Brand;
};

/** One thing to say to a person: not found, or something went wrong. */
export function messagePage({ title, text, reader, brand }: MessagePageProps): Page {
  const body = (
    <main class="page page-narrow">
      <div class="card message">
        <h1 safe>{title}</h1>
        <p class="prose" safe>
          {text}
        </p>
      </div>
      <HostedBy brand={brand} reader={reader} />
    </main>
  );
  return layout({ language: reader.language, brand, title, body: String(body) });
}
