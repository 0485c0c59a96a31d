// Runs a Python program in Pyodide, the Python of browsers: node pyodide.mjs ZIP PROGRAM. ZIP has the modules it imports.

import { readFileSync } from "node:fs";
import { loadPyodide } from "pyodide";

function processorTime() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

const [zip, program] = process.argv.slice(2);
try {
  const python = await loadPyodide();
  python.unpackArchive(new Uint8Array(readFileSync(zip)), "zip");
  // Pyodide's process clock is wall-clock time.
  python.registerJsModule("node", { processor_time: processorTime });
  python.runPython(readFileSync(program, "utf8"), { filename: program });
} catch (problem) {
  // Node would print the source line that threw it, which is a megabyte long in Pyodide.
  console.error(String(problem));
  process.exitCode = 1;
}
