/* SPDX-License-Identifier: MIT
   The table of loops, its filters, and their sources.  See check-page-common.js.  */
{
  const rows = () => all ("#loops tbody tr:not([aria-hidden])");
  const count = () => by_id ("count").textContent;
  const current = () => document.querySelector ("#loops tr[aria-selected=true]");
  const button = (text) => all ("button").find ((one) => one.textContent.startsWith (text));

  function type (text)
  {
    by_id ("search").value = text;
    by_id ("search").dispatchEvent (new Event ("input", { bubbles: true }));
  }

  check ("without a trace there is no timeline", by_id ("timeline").hidden && all ("canvas").length === 0);
  check ("5,003 loops are counted", count ().replace (/\D/g, "") === "5003");
  check ("only rows in sight are drawn", rows ().length > 5 && rows ().length < 300);
  check ("what took most time comes first", rows ()[0].textContent.includes ("f4999"));

  type ("f123");
  check ("search by function finds f123 and f1230 to f1239", rows ().length === 11 && count ().startsWith ("11 of"));
  type ("MANY/7.C pointers");
  check ("search takes several words, in any case", rows ().length > 0 && count ().startsWith ("50 of"));
  type ("sample.c sequential");
  check ("search takes classes", rows ().length === 1 && rows ()[0].textContent.includes ("works"));
  type ("f123");
  check ("what nine of ten loops' files have in common is left out", rows ()[0].textContent.startsWith ("24.c"));
  type ("sample.c indirect");
  check ("what is elsewhere has its whole name", rows ()[0].textContent.startsWith ("sample.c"));
  type ("no such loop");
  check ("a search in vain says so", rows ().length === 0 && !by_id ("empty").hidden);
  type ("");

  button ("possibly parallel").click ();
  check ("a class is hidden by its button", count ().startsWith ("1 of"));
  check ("the button says so", button ("possibly parallel").getAttribute ("aria-pressed") === "false");
  button ("possibly parallel").click ();
  button ("entered only").click ();
  check ("loops never entered are hidden", count ().startsWith ("5,000 of") || count ().startsWith ("5000 of"));
  button ("entered only").click ();

  press ("/");
  check ("/ goes to the search field", document.activeElement === by_id ("search"));
  type ("sample.c");
  press ("Enter");
  check ("Enter goes to the first loop found", document.activeElement === current () && rows ().length === 3);
  const first = current ().textContent;
  press ("j");
  check ("j goes down", current ().textContent !== first && document.activeElement === current ());
  press ("ArrowUp");
  check ("the arrow goes up", current ().textContent === first);

  const heads = () => all ("#loops th").map ((head) => head.textContent).join (" ");
  const is_whole = (element) => element.scrollWidth <= element.clientWidth;
  check ("all columns are there", heads ().includes ("reason entries ran rung conflicts time saved speedup"));
  press ("Enter");
  const detail = by_id ("detail");
  check ("beside a source, there are those that have room", heads () === "place function class reason time"
	 && rows ().every ((row) => is_whole (row.querySelector (".line")) && is_whole (row.cells[2])));
  check ("Enter opens the source", !detail.hidden && detail.textContent.includes ("y[i] = x[idx[i]];"));
  press ("j");
  check ("what was inlined has its own file", detail.textContent.includes ("inlined.h:4")
	 && !detail.querySelector (".way") && detail.textContent.includes ("inlined.h:4: write of y, 4 bytes"));
  press ("j");
  check ("j shows the next loop, with what is in the way", detail.textContent.includes ("a call whose effects are not known"));
  check ("with what to do", detail.textContent.includes ("let the compiler inline it"));
  check ("text of the source is text", detail.querySelector ("b") === null && detail.textContent.includes ("<b>bold"));
  press ("Escape");
  check ("Escape closes it", detail.hidden && heads ().endsWith ("speedup"));
  type ("f123");
  press ("Enter");
  press ("Enter");
  check ("nothing to do is said", detail.textContent.includes ("to donothing"));
  press ("Escape");
  type ("");
  press ("Escape");

  all ("th button").find ((one) => one.textContent.includes ("function")).click ();
  const names = rows ().slice (0, 3).map ((row) => row.cells[1].textContent);
  check ("a column's head sorts by it", names.join () === [...names].sort ().join ());
  by_id ("list").scrollTop = 1e9;
  by_id ("list").dispatchEvent (new Event ("scroll"));
  check ("the last loop can be scrolled to", rows ().at (-1).textContent.includes ("work"));
  leave_results ();
}
