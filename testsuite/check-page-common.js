/* SPDX-License-Identifier: MIT
   What check-page.sh has a browser do on a report page: this, and then one of its neighbours, appended to it, behind its
   own scripts.  All that the page does on an event is done when dispatchEvent returns.  What came of it is left as lines
   in #checked.  */
"use strict";
const results = [], loaded = performance.now ();
const by_id = (id) => document.getElementById (id), all = (selector) => [...document.querySelectorAll (selector)];
const check = (what, holds) => results.push (`${holds ? "PASS" : "FAIL"}: ${what}`);

function press (key)
{
  document.activeElement.dispatchEvent (new KeyboardEvent ("keydown", { key, bubbles: true, cancelable: true }));
}

function leave_results ()
{
  const place = document.body.appendChild (document.createElement ("pre"));
  place.id = "checked";
  place.textContent = [...results, `loaded: ${Math.round (loaded)} ms`, ""].join ("\n");
}
