// Starts the page. The script and the recorded scene are embedded as gzip data in base64.
(() => {
  "use strict";
  // The text may contain line breaks.
  function bytesOfBase64(text) {
    if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
    const letters = atob(text);
    const bytes = new Uint8Array(letters.length);
    for (let i = 0; i < letters.length; ++i) bytes[i] = letters.charCodeAt(i);
    return bytes;
  }

  async function unpack(id) {
    const text = document.getElementById(id).textContent.trim();
    if (text === "") return null;
    const stream = new Blob([bytesOfBase64(text)]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Response(stream).arrayBuffer();
  }

  function complain(words) {
    const note = document.createElement("p");
    note.className = "plain-note";
    note.setAttribute("role", "alert");
    note.textContent = words;
    document.getElementById("app").replaceChildren(note);
  }

  async function start() {
    if (typeof DecompressionStream === "undefined") {
      complain("This page needs a browser of 2023 or later (DecompressionStream).");
      return;
    }
    try {
      const script = document.createElement("script");
      script.textContent = new TextDecoder().decode(await unpack("graze-script"));
      document.head.append(script);
      script.remove();
      await window.grazePage(unpack);
    } catch (error) {
      complain("This page cannot be shown: " + (error && error.message ? error.message : error));
      throw error;
    }
  }
  start();
})();
