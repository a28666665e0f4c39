import type { home as english } from "../en/home.ts";
import type { TextsOf } from "../texts.ts";

export const home: TextsOf<typeof english> = {
  newLink: "新建链接",
  newInvoice: "新建账单",
  greetMorning: "早上好，{name}",
  greetDay: "下午好，{name}",
  greetEvening: "晚上好，{name}",
  greetNobody: "首页",

  receivedIn: "{month}已收到",
  receivedToday: "今天",
  chartSays: "{from}至{to}每日收到的金额。最高为{day}：{amount} USDC。",
  chartEmpty: "{from}至{to}没有收到款项。",
  chartAsTable: "以表格显示数据",
  chartDay: "日期",
  dayAndAmount: "{day}：{amount} USDC",

  openTitle: "未付款",
  openNone: "没有未付账单",
  openCounted: "账单：{count} 份",
  openSays: "账单：{count} 份。最近到期日 {day}",
  overdueTitle: "已逾期",
  overdueNone: "没有逾期",
  overdueSays: "账单：{count} 份。最早到期日 {day}",

  needsAttention: "需要您处理",

  newestPayments: "最新付款",
  paymentFrom: "付款方",
  paymentState: "状态",
  paymentWhen: "时间",
  allInvoices: "全部账单",
  paymentLink: "付款链接",
  counterPayment: "收银台",
  stateConfirming: "正在确认（{count} / {needed}）",
  stateFinalising: "等待最终确认",
  stateConfirmed: "已确认",

  welcome: "欢迎，{name}",
  welcomeNobody: "欢迎",
  firstSteps: "只需几步，即可收到第一笔付款。",
  stepDone: "已完成",
  stepProfile: "填写您的信息",
  stepProfileText: "名称、地址和邮箱：今后会显示在每份账单上。",
  stepProfileDo: "填写信息",
  stepInvoice: "开第一份账单",
  stepInvoiceText: "发给自己，支付 1.00 USDC，看它到账。",
  stepWords: "抄写助记词",
  stepWordsText: "万一服务器损坏，可用它恢复钱包。",
  stepWordsDo: "查看方法",
  paymentsTitle: "付款",
  paymentsNone: "有人付款后，几秒内就会显示在这里，无需刷新。",

  didSignIn: "您已登录。",
};
