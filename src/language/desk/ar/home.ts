import type { home as english } from "../en/home.ts";
import type { TextsOf } from "../texts.ts";

export const home: TextsOf<typeof english> = {
  newLink: "رابط جديد",
  newInvoice: "فاتورة جديدة",
  greetMorning: "صباح الخير، {name}",
  greetDay: "طاب نهارك، {name}",
  greetEvening: "مساء الخير، {name}",
  greetNobody: "الرئيسية",

  receivedIn: "المستلَم في {month}",
  receivedToday: "اليوم",
  chartSays: "المبالغ المستلَمة يوميًا من {from} إلى {to}. أعلاها في {day}: {amount} USDC.",
  chartEmpty: "لم يُستلم شيء من {from} إلى {to}.",
  chartAsTable: "الأرقام في جدول",
  chartDay: "اليوم",
  dayAndAmount: "{day}، {amount} USDC",

  openTitle: "غير مدفوعة",
  openNone: "لا توجد مبالغ مستحقة",
  openCounted: "الفواتير: {count}",
  openSays: "الفواتير: {count}. أقرب استحقاق {day}",
  overdueTitle: "متأخرة السداد",
  overdueNone: "لا توجد متأخرات",
  overdueSays: "الفواتير: {count}. أقدم استحقاق {day}",

  needsAttention: "تحتاج إلى انتباهك",

  newestPayments: "أحدث الدفعات",
  paymentFrom: "من",
  paymentState: "الحالة",
  paymentWhen: "الوقت",
  allInvoices: "جميع الفواتير",
  paymentLink: "رابط الدفع",
  counterPayment: "نقطة البيع",
  stateConfirming: "قيد التأكيد، {count} من {needed}",
  stateFinalising: "بانتظار التأكيد النهائي",
  stateConfirmed: "مؤكدة",

  welcome: "مرحبًا، {name}",
  welcomeNobody: "مرحبًا",
  firstSteps: "خطوات قليلة وتستلم أول دفعة.",
  stepDone: "تم",
  stepProfile: "عرّف بنفسك",
  stepProfileText: "الاسم والعنوان والبريد الإلكتروني: ستظهر في كل فاتورة من الآن.",
  stepProfileDo: "إدخال بياناتك",
  stepInvoice: "أنشئ أول فاتورة",
  stepInvoiceText: "أرسلها إلى نفسك، وادفع 1.00 USDC، وشاهد وصولها.",
  stepWords: "دوّن عبارة الاسترداد",
  stepWordsText: "تعيد محفظتك إذا تعطّل هذا الخادم.",
  stepWordsDo: "عرض الطريقة",
  paymentsTitle: "الدفعات",
  paymentsNone: "عندما يدفع لك أحد، يظهر ذلك هنا خلال ثوانٍ. لا حاجة لتحديث الصفحة.",

  didSignIn: "تم تسجيل دخولك.",
};
