import { embedder } from "./embedder.ts";

const message = document.getElementById("message");
if (message) embedder(message).followSize(document.querySelector(".page") ?? message);
