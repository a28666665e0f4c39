/** Units as UN/ECE Recommendation 20 writes them, by what people write. */

/** "One": what is counted without a unit, or with one that the recommendation does not know. */
const piece = "C62";

const words: Record<string, string> = {
  HUR: "h hr hrs hour hours std stunde stunden hora horas heure heures ساعة ساعات 時間 小时",
  DAY: "d day days tag tage día días dia dias jour jours يوم أيام 日 天",
  WEE: "week weeks woche wochen semana semanas semaine semaines أسبوع أسابيع 週 週間 周",
  MON: "month months monat monate mes meses mês mois شهر أشهر ヶ月 か月 月 个月",
  ANN: "year years jahr jahre año años ano anos an ans année années سنة سنوات 年",
  MIN: "min minute minutes minuten minuto minutos دقيقة دقائق 分 分钟",
  SEC: "s sec second seconds sekunde sekunden",
  KGM: "kg kilo kilos kilogram kilograms kilogramm kilogramme kilogrammes كجم キログラム 公斤 千克",
  GRM: "g gram grams gramm gramme grammes gramo gramos grama gramas جرام グラム 克",
  TNE: "t ton tons tonne tonnes tonnen tonelada toneladas طن トン 吨",
  LBR: "lb lbs pound pounds",
  LTR: "l liter liters litre litres litro litros لتر リットル 升",
  MLT: "ml milliliter millilitre",
  MTR: "m meter meters metre metres metro metros mètre mètres متر メートル 米",
  CMT: "cm",
  MMT: "mm",
  KMT: "km kilometer kilometre kilometers kilometres kilómetro kilómetros quilómetro quilómetros كم キロ 公里",
  MTK: "m² m2 sqm qm",
  MTQ: "m³ m3 cbm",
  FOT: "ft foot feet",
  INH: "in inch inches",
  KWH: "kwh",
  SET: "set sets",
  PR: "pair pairs paar par pares paire paires",
  BX: "box boxes",
  LS: "pauschal pauschale lump lumpsum forfait",
  C62: "pc pcs piece pieces unit units stk stück st ud uds unidad unidades un unidade pièce pièces u pce قطعة 個 件 个",
};

const codes = new Map<string, string>();
for (const [code, list] of Object.entries(words)) {
  codes.set(code.toLowerCase(), code);
  for (const word of list.split(" ")) codes.set(word, code);
}

/** `"h"` → `"HUR"`; `"C62"` for what is not known. */
export function unitCode(unit: string | null): string {
  if (unit === null) return piece;
  const word = unit.trim().toLowerCase().replace(/\.$/, "");
  return codes.get(word) ?? piece;
}
