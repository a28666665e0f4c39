import type { ThreadTask } from "./thread.ts";
import { createThreadWork } from "./thread-work.ts";

declare const self: Worker;

const work = createThreadWork();

self.onmessage = ({ data }: MessageEvent<ThreadTask>) => {
  if (data === "end") {
    work.close();
    process.exit();
  }
  self.postMessage(work.answerTo(data));
};
