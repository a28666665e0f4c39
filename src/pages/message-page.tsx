import { Html } from "@elysiajs/html";
import { type Brand, plainBrand } from "../domain/brand.ts";
import { HostedBy } from "./brand-mark.tsx";
import { type Reader, readerOf } from "./language/reader.ts";
import { layout, type Page } from "./layout.tsx";

export type MessagePageProps = {
  title: string;
  text: string;
  /** Reads English when not given. */
  reader?: Reader | undefined;
  /** Who runs this Till. */
  brand?: Brand | undefined;
};

/** One thing to say to a person: not found, or something went wrong. */
export function messagePage({
  title,
  text,
  reader = readerOf("en"),
  brand = plainBrand,
}: MessagePageProps): Page {
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
