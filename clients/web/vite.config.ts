import preact from "@preact/preset-vite";
import { defineConfig } from "vite";

export default defineConfig({
  base: "/",
  plugins: [preact({ reactAliasesEnabled: false })],
  build: {
    outDir: "../../server/gateway/page",
    emptyOutDir: true,
    // The page's security policy allows images from data: URLs but no fonts or scripts; keep every file a file.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  // While developing, the table comes from a server started beside this one.
  server: { proxy: { "/ws": { target: "ws://127.0.0.1:8080", ws: true } } },
});
