// Starts the page: the program and the recorded scene lie in it as gzip in base64.
(() => {
  "use strict";
  const values = new Uint8Array(128);
  const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (let i = 0; i < 64; ++i) values[letters.charCodeAt(i)] = i;

  // Line breaks may stand between groups of four letters.
  function bytesOfBase64(text) {
    const bytes = new Uint8Array(Math.floor((text.length * 3) / 4));
    let count = 0, held = 0, bits = 0;
    for (let i = 0; i < text.length; ++i) {
      const code = text.charCodeAt(i);
      if (code <= 32 || code === 61) continue;
      held = ((held << 6) | values[code & 127]) & 0xffffff;
      bits += 6;
      if (bits >= 8) {
        bits -= 8;
        bytes[count++] = (held >> bits) & 255;
      }
    }
    return bytes.subarray(0, count);
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
