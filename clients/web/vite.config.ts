import preact from "@preact/preset-vite";
import { defineConfig } from "vite";

export default defineConfig({
  base: "/",
  plugins: [preact({ reactAliasesEnabled: false })],
  build: {
    outDir: "../../server/gateway/page",
    emptyOutDir: true,
    // The page's security policy forbids fonts and scripts from data: URLs.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  // In development a game server runs beside this one.
  server: { proxy: { "/ws": { target: "ws://127.0.0.1:8080", ws: true } } },
});
