// Runs a Python program in the Python of browsers: node pyodide.mjs ZIP PROGRAM, the modules it imports packed as ZIP.

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
  // The clock of the Python in there is the one on the wall.
  python.registerJsModule("node", { processor_time: processorTime });
  python.runPython(readFileSync(program, "utf8"), { filename: program });
} catch (problem) {
  // Left to Node, it would be told with the line of Pyodide that threw it, which is a megabyte long.
  console.error(String(problem));
  process.exitCode = 1;
}
