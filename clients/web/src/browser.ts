// The Environment of a Connection in a browser: a WebSocket with MessagePack frames, and real timers.

import { Decoder, encode } from "@msgpack/msgpack";
import type { Connection, Environment, Socket, SocketEvents } from "./connection";
import type { ServerMessage } from "./protocol";

const decoder = new Decoder();

function openSocket(events: SocketEvents): Socket {
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  const socket = new WebSocket(`${scheme}://${location.host}/ws`);
  socket.binaryType = "arraybuffer";
  socket.onopen = () => events.opened();
  socket.onmessage = ({ data }) => events.received(decoder.decode(data as ArrayBuffer) as ServerMessage);
  socket.onclose = ({ code }) => events.closed(code);
  return {
    send: (message) => {
      if (socket.readyState === WebSocket.OPEN) socket.send(encode(message));
    },
    close: () => socket.close(),
  };
}

export function after(ms: number, act: () => void): () => void {
  const id = setTimeout(act, ms);
  return () => clearTimeout(id);
}

/** 64 random bits in hexadecimal. */
function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(8));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export const browser: Environment = { openSocket, after, random: Math.random, now: Date.now, newId };

/** Reconnects without waiting when the device is online again or the page becomes visible. */
export function reconnectOnWake(connection: Connection): void {
  addEventListener("online", () => connection.reconnectNow());
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") connection.reconnectNow();
  });
}
