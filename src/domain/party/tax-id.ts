/**
 * Tax numbers of businesses, checked by their published format and, where the rule is short and applies to all of them,
 * by their check digits. Whether they were issued is not checked.
 */

import { faulty } from "../../lib/text/text.ts";

type Form = {
  form: RegExp;
  /** A valid number. */
  example: string;
  /** Checks what follows the country. */
  check?: (id: string) => boolean;
};

/** The weighted sum of the digits, up to the shorter of both lists. */
function weigh(digits: string, weights: readonly number[]): number {
  return weights.reduce((sum, weight, i) => sum + weight * Number(digits[i] ?? 0), 0);
}

const divides = (modulus: number, weights: readonly number[]) => (id: string) =>
  weigh(id.replace(/\D/g, ""), weights) % modulus === 0;

/** ISO 7064, MOD 11,10. */
function mod11And10(digits: string): boolean {
  const product = [...digits.slice(0, -1)].reduce((product, digit) => {
    const sum = (product + Number(digit)) % 10 || 10;
    return (sum * 2) % 11;
  }, 10);
  return (11 - product) % 10 === Number(digits.at(-1));
}

/** ISO/IEC 7812-1, annex B: doubles every second digit from the right and adds up the digits. */
function luhnSum(digits: string): number {
  const doubled = (digit: number) => (digit > 4 ? digit * 2 - 9 : digit * 2);
  return [...digits]
    .reverse()
    .reduce((sum, digit, i) => sum + (i % 2 === 1 ? doubled(Number(digit)) : Number(digit)), 0);
}

const luhn = (digits: string) => luhnSum(digits) % 10 === 0;

/** ISO 7064, MOD 97-10, with letters as numbers from 10. */
const mod97 = (text: string) =>
  BigInt(text.replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55))) % 97n === 1n;

const elfproef = divides(11, [9, 8, 7, 6, 5, 4, 3, 2, -1]);

const british: Form = {
  form: /^(?:\d{9}|\d{12}|(?:GD|HA)\d{3})$/,
  example: "GB980780684",
  check: (id) => /^\D/.test(id) || [0, 42, 55].includes(weigh(id, [8, 7, 6, 5, 4, 3, 2, 10, 1]) % 97),
};

/** By country prefix: the EU (VIES), Northern Ireland, Great Britain, Switzerland, Norway. */
// biome-ignore format: one line for each country reads as a table
const vatIds: Record<string, Form> = {
  AT: { form: /^U\d{8}$/, example: "ATU13585627", check: (id) => (luhnSum(id.slice(1, 8)) + Number(id[8])) % 10 === 6 },
  BE: { form: /^[01]\d{9}$/, example: "BE0428759497", check: (id) => (Number(id.slice(0, 8)) + Number(id.slice(8))) % 97 === 0 },
  BG: { form: /^\d{9,10}$/, example: "BG175074752" },
  CH: { form: /^E\d{9}(?:MWST|TVA|IVA)?$/, example: "CHE107787577MWST", check: divides(11, [5, 4, 3, 2, 7, 6, 5, 4, 1]) },
  CY: { form: /^\d{8}[A-Z]$/, example: "CY10259033P" },
  CZ: { form: /^\d{8,10}$/, example: "CZ25123891" },
  DE: { form: /^\d{9}$/, example: "DE136695976", check: mod11And10 },
  DK: { form: /^\d{8}$/, example: "DK13585628", check: divides(11, [2, 7, 6, 5, 4, 3, 2, 1]) },
  EE: { form: /^\d{9}$/, example: "EE100931558", check: divides(10, [3, 7, 1, 3, 7, 1, 3, 7, 1]) },
  EL: { form: /^\d{9}$/, example: "EL094259216", check: (id) => (weigh(id, [256, 128, 64, 32, 16, 8, 4, 2]) % 11) % 10 === Number(id[8]) },
  ES: { form: /^(?:[A-Z]\d{7}[A-Z\d]|\d{8}[A-Z])$/, example: "ESB58378431" },
  FI: { form: /^\d{8}$/, example: "FI20774740", check: divides(11, [7, 9, 10, 5, 8, 4, 2, 1]) },
  FR: { form: /^[A-HJ-NP-Z\d]{2}\d{9}$/, example: "FR40303265045", check: (id) => /\D/.test(id) || Number(`${id.slice(2)}12`) % 97 === Number(id.slice(0, 2)) },
  GB: british,
  HR: { form: /^\d{11}$/, example: "HR33392005961", check: mod11And10 },
  HU: { form: /^\d{8}$/, example: "HU12892312", check: divides(10, [9, 7, 3, 1, 9, 7, 3, 1]) },
  IE: { form: /^(?:\d{7}[A-W][A-I]?|\d[A-Z+*]\d{5}[A-W])$/, example: "IE6433435F" },
  IT: { form: /^\d{11}$/, example: "IT00743110157", check: luhn },
  LT: { form: /^(?:\d{9}|\d{12})$/, example: "LT119511515" },
  LU: { form: /^\d{8}$/, example: "LU15027442", check: (id) => Number(id.slice(0, 6)) % 89 === Number(id.slice(6)) },
  LV: { form: /^\d{11}$/, example: "LV40003521600" },
  MT: { form: /^\d{8}$/, example: "MT11679112", check: divides(37, [3, 4, 6, 7, 8, 9, 10, 1]) },
  NL: { form: /^\d{9}B\d{2}$/, example: "NL004495445B01", check: (id) => elfproef(id.slice(0, 9)) || mod97(`NL${id}`) },
  NO: { form: /^\d{9}(?:MVA)?$/, example: "NO995525828MVA", check: divides(11, [3, 2, 7, 6, 5, 4, 3, 2, 1]) },
  PL: { form: /^\d{10}$/, example: "PL8567346215", check: divides(11, [6, 5, 7, 2, 3, 4, 5, 6, 7, -1]) },
  PT: { form: /^\d{9}$/, example: "PT501964843", check: (id) => ((11 - (weigh(id, [9, 8, 7, 6, 5, 4, 3, 2]) % 11)) % 11) % 10 === Number(id[8]) },
  RO: { form: /^\d{2,10}$/, example: "RO18547290" },
  SE: { form: /^\d{12}$/, example: "SE123456789701", check: (id) => luhn(id.slice(0, 10)) },
  SI: { form: /^\d{8}$/, example: "SI50223054", check: (id) => (11 - (weigh(id, [8, 7, 6, 5, 4, 3, 2]) % 11)) % 10 === Number(id[7]) },
  SK: { form: /^\d{10}$/, example: "SK2022749619" },
  XI: { ...british, example: "XI980780684" },
};

const outsideOfEu: ReadonlySet<string> = new Set(["CH", "GB", "NO"]);

/**
 * Returns whether a VAT id is of the EU, or of Northern Ireland, which the EU's recapitulative statements accept too.
 */
export function isOfEu(vatId: string): boolean {
  const code = vatId.slice(0, 2);
  return Object.hasOwn(vatIds, code) && !outsideOfEu.has(code);
}

/** Normalises a number as people write it: capitals without spaces, dots and hyphens. */
const compact = (text: string) => text.toUpperCase().replace(/[\s.\-‐‑–/]/g, "");

/** Checks a VAT id with its country prefix: by format for known countries, otherwise only for letters and digits. */
export function vatId(text: string) {
  const value = compact(text);
  const code = value.slice(0, 2);
  const id = value.slice(2);
  const form = vatIds[code];
  if (code === "GR") return faulty("vat_id_greek", { example: vatIds["EL"]?.example ?? "" });
  if (form) return ofForm(form, id, value, `a VAT id of ${code}`);
  if (/^[A-Z]{2}[A-Z\d]{2,18}$/.test(value)) return { ok: true, value } as const;
  return faulty("vat_id_country");
}

/** By country of the business, for formats that are short to describe. */
const taxIds: Record<string, Form & { name: string }> = {
  AU: {
    name: "ABN",
    form: /^\d{11}$/,
    example: "51 824 753 556",
    check: (id) => (weigh(id, [10, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19]) - 10) % 89 === 0,
  },
  CA: {
    name: "BN",
    form: /^\d{9}(?:R[CTPZ]\d{4})?$/,
    example: "123456782RT0001",
    check: (id) => luhn(id.slice(0, 9)),
  },
  IN: {
    name: "GSTIN",
    form: /^\d{2}[A-Z]{5}\d{4}[A-Z][A-Z\d]Z[A-Z\d]$/,
    example: "27AAPFU0939F1ZV",
    check: gstin,
  },
  JP: { name: "登録番号", form: /^T\d{13}$/, example: "T7000012050002" },
  US: { name: "EIN", form: /^\d{9}$/, example: "12-3456789" },
};

/** The last of 15 characters is the check digit: base 36, every second character doubled. */
function gstin(id: string): boolean {
  const sum = [...id.slice(0, 14)].reduce((sum, letter, i) => {
    const product = Number.parseInt(letter, 36) * (i % 2 === 0 ? 1 : 2);
    return sum + Math.floor(product / 36) + (product % 36);
  }, 0);
  return Number.parseInt(id[14] ?? "", 36) === (36 - (sum % 36)) % 36;
}

/** The name of the tax number in countries where it has a single one; null elsewhere. */
export const taxIdName = (country: string | undefined) => taxIds[country ?? ""]?.name ?? null;

/** Checks a tax office's number other than a VAT id; accepts any text for countries whose format is unknown. */
export function taxId(text: string, country: string | undefined) {
  const form = taxIds[country ?? ""];
  if (!form) return { ok: true, value: text } as const;
  return ofForm(form, compact(text), text, `${/^[AEIOU]/.test(form.name) ? "an" : "a"} ${form.name}`);
}

/** `what` is the name of the number with its article. */
function ofForm({ form, example, check }: Form, id: string, value: string, what: string) {
  if (!form.test(id)) return faulty("id_form", { what, example });
  if (check?.(id) === false) return faulty("id_digits", { what });
  return { ok: true, value } as const;
}
