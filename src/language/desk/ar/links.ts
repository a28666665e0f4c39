import type { links as english } from "../en/links.ts";
import type { TextsOf } from "../texts.ts";

export const links: TextsOf<typeof english> = {
  linkOpen: "مفتوح",
  linkSeen: "قيد المعالجة",
  linkPartly: "دفع جزئي",
  linkPaid: "تم الدفع",
  linkOverpaid: "دفع زائد",
  linkMarked: "دُفع بطريقة أخرى",
  linkProblem: "مشكلة في الدفع",
  linkVoid: "ملغى",
  linkEnded: "منتهٍ",

  linksShow: "عرض",
  linksAll: "الكل",
  linksOpen: "مفتوحة",
  linksPaid: "مدفوعة",
  linksEnded: "منتهية",
  linksCounter: "نقطة البيع",
  linksMany: "{count}+",
  linksCaption: "روابط الدفع، الأحدث أولًا",
  linksSearch: "البحث في الروابط",
  linksSearchHint: "الوصف، الرقم المرجعي، العنوان، المعاملة",
  linksLink: "الرابط",
  linksState: "الحالة",
  linksMade: "أُنشئ",
  linksPrice: "السعر",
  linksReceived: "المستلَم (USDC)",
  linksNothingYet: "لا شيء بعد",
  linksNone: "استلم مدفوعاتك عبر رابط",
  linksNoneText:
    "أرسله في رسالة، أو اطبعه كرمز QR، أو ضعه في صفحة متجرك. من يفتحه يدفع بعملة USDC، مرة واحدة أو مرات عدة، وترى ذلك هنا.",
  linksNothingHere: "لا توجد روابط مطابقة",
  linksNothingHereText: "توجد روابط، لكن ليس من هذا النوع.",
  linksNothingFound: "لا نتائج",
  linksNothingFoundText:
    "يمكنك البحث بكلمات من الوصف أو الرقم المرجعي، أو بعنوان كامل، أو ببداية معاملة، أو بآخر الرابط.",
  linksShowAll: "عرض جميع الروابط",

  linkOnce: "مرة واحدة",
  linkAgain: "متكرر",
  linkOncePart: "دفعة من رابط",
  linkUntil: "{kind}، حتى {day}",
  linkPaidTimes: "{kind} · المدفوعة: {count}",
  linkFrom: "من {min} إلى {max}",
};
