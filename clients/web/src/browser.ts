// The wire's surroundings in a browser: a WebSocket with msgpack frames, real timers, and the signs of waking up.

import { Decoder, encode } from "@msgpack/msgpack";
import type { ServerMessage } from "./protocol";
import type { Socket, SocketEvents, Environment, Connection } from "./connection";

const decoder = new Decoder();

function dial(events: SocketEvents): Socket {
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

function after(ms: number, act: () => void): () => void {
  const id = setTimeout(act, ms);
  return () => clearTimeout(id);
}

export const browser: Environment = { dial, after, random: Math.random, now: Date.now };

/** A laptop that opens, a phone that comes out of the pocket, a network that is back: no reason to wait any longer. */
export function reconnectOnWake(wire: Connection): void {
  addEventListener("online", () => wire.reconnectNow());
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") wire.reconnectNow();
  });
}

/** 64 random bits as text: the id of a request. */
export function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(8));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
