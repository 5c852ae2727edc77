/* SPDX-License-Identifier: MIT
   The timeline of the run that check-page.sh makes up.  See check-page-common.js.  */
{
  const [picture] = pictures, canvas = picture.canvas;
  const under = () => by_id ("under").textContent, in_sight = () => picture.to - picture.from;
  const opened_loop = () => by_id ("detail").hidden ? "none" : document.querySelector ("#detail h2").textContent;
  const MS = 1e6;

  /* Where on the page TIME is, in lane LANE of the track NAME; lane -1: among its marks.  */
  function place_of (name, lane, time)
  {
    const row = picture.rows.find (({ track }) => track.name === name), box = canvas.getBoundingClientRect ();
    const y = row.top + (lane < 0 ? row.strip / 2 : row.strip + (lane + 0.5) * picture.lane);
    return { clientX: box.left + x_of (picture, time), clientY: box.top + y };
  }

  function mouse (Kind, type, place, more = {})
  {
    canvas.dispatchEvent (new Kind (type, { ...place, ...more, bubbles: true, cancelable: true }));
  }

  function point_at (name, lane, time)
  {
    mouse (PointerEvent, "pointermove", place_of (name, lane, time));
    return under ();
  }

  /* The colour there, if something is drawn.  */
  function colour_at (name, lane, time)
  {
    const { clientX, clientY } = place_of (name, lane, time), box = canvas.getBoundingClientRect ();
    const dots = canvas.width / canvas.clientWidth;
    return canvas.getContext ("2d").getImageData ((clientX - box.left) * dots, (clientY - box.top) * dots, 1, 1).data.join ();
  }

  const caption = document.querySelector ("figcaption").textContent;
  check ("with a trace there is one", !by_id ("timeline").hidden && all ("canvas").length === 1);
  check ("it says which run that is", caption.includes ("solve 1234") && caption.includes ("118 ms"));
  check ("it says what is left out", caption.includes ("200,119 spans") && caption.includes ("180,119 shorter ones left out"));
  check ("each thread has its track, and the device",
	 picture.rows.map (({ track }) => track.name).join () === "working thread,pool 1,pool 2,device");
  const lines = all ("#pictures li").map ((line) => line.textContent);
  check ("it is told in words, too", lines.length === 4
	 && lines[0] === "working thread: 1,963 spans, 1 mark; busy 89 % of the time, waiting 3 %"
	 && lines[3] === "device: 196 spans, 0 marks; busy 4 % of the time, waiting 0 %");
  check ("the legend has the kinds", ["entry", "conflict", "join", "chunk", "kernel"].every ((name) =>
    all ("#legend .kind").some ((kind) => kind.textContent === name)));
  const colours = [["working thread", 0], ["working thread", 1], ["device", 0]].map (([name, lane]) =>
    colour_at (name, lane, 11 * MS));
  check ("spans are drawn where they are, in colours of their own", new Set (colours).size === 3);

  check ("a span is found at its place", point_at ("working thread", 0, MS)
	 === "entry many/0.c:8 f7 working thread, 0 ms to 20 ms: 20.0 ms; iterations 4,096, conflicts 1, plan pool, result pool");
  check ("what lies in it, below it", point_at ("working thread", 1, 5 * MS).startsWith ("chunk many/0.c:8 f7 working thread, 2 ms to 12 ms"));
  check ("there is nothing beside it", point_at ("working thread", 1, 1.5 * MS).trim () === "");
  check ("a mark is found", point_at ("working thread", -1, 15 * MS)
	 === "conflict many/0.c:8 f7 working thread, at 15 ms; iteration 3,000, found by inspection");

  canvas.focus ();
  const whole = in_sight ();
  press ("+");
  press ("+");
  check ("+ zooms", in_sight () < whole / 2 && picture.from > 0);
  const from = picture.from;
  press ("ArrowRight");
  check ("an arrow moves", picture.from > from);
  press ("ArrowLeft");
  press ("-");
  check ("- zooms out", in_sight () > whole / 2);
  press ("0");
  check ("0 shows all", picture.from === 0 && in_sight () === whole);

  const there = place_of ("working thread", 0, 40 * MS);
  mouse (WheelEvent, "wheel", there, { deltaY: -900 });
  const moved = Math.abs (there.clientX - place_of ("working thread", 0, 40 * MS).clientX);
  check ("the wheel zooms, and what is under the mouse stays there", in_sight () < whole / 3 && moved < 2);
  const before = picture.from, far = { clientX: there.clientX - 50, clientY: there.clientY };
  mouse (PointerEvent, "pointerdown", there);
  mouse (PointerEvent, "pointermove", far, { buttons: 1 });
  mouse (PointerEvent, "pointerup", far);
  mouse (MouseEvent, "click", far);
  check ("it can be dragged, and that is no click", Math.abs (picture.from - before - 50 / picture.scale) < 2000
	 && opened_loop () === "none");
  check ("short spans have room then", point_at ("device", 0, 40.02 * MS).startsWith ("kernel many/4.c:1 f200 device, 40.005 ms"));
  press ("0");

  mouse (PointerEvent, "pointerdown", place_of ("working thread", 1, 5 * MS));
  mouse (MouseEvent, "click", place_of ("working thread", 1, 5 * MS));
  check ("a click opens the loop", opened_loop () === "many/0.c:8 f7");
  check ("and goes to it in the table", document.querySelector ("#loops tr[aria-selected=true]").textContent.includes ("f7"));
  canvas.focus ();
  press ("ArrowDown");
  check ("arrows go from event to event", under ().startsWith ("conflict"));
  press ("ArrowDown");
  check ("in order of time", under ().startsWith ("join"));
  press ("ArrowDown");
  press ("Enter");
  check ("Enter opens the loop", opened_loop () === "many/0.c:1 f0" && document.activeElement === canvas);
  press ("Escape");
  check ("other keys are the page's", opened_loop () === "none");

  const height = by_id ("list").clientHeight;
  by_id ("fold").click ();
  check ("it can be folded up", by_id ("pictures").hidden && by_id ("list").clientHeight > height
	 && by_id ("fold").getAttribute ("aria-expanded") === "false");
  by_id ("fold").click ();
  check ("and opened again", !by_id ("pictures").hidden && by_id ("list").clientHeight === height);
  leave_results ();
}
