/* SPDX-License-Identifier: MIT
   The report page's timeline: what each thread, and the device, did when, each run a picture that can be zoomed.  The
   page's script has run.  Text of the user's only ever becomes text nodes, attributes and text on a canvas.

     run      -> picture	a canvas, and what of the run is in sight: FROM and TO, nanoseconds since its first event
     track    -> row		its marks in a strip, its spans in lanes: one that lies in another, in a lane below
     a list of numbers -> event	a span, or a mark, which has no length  */
"use strict";

const AXIS = 20, STRIP = 14, GAP = 6;	/* pixels: what each row has above its lanes if it has marks, below them */
const LANE = 18, TALLEST = 6000;	/* likewise; of all lanes, so that a canvas can be that tall */
const NARROWEST = 200;			/* nanoseconds in sight */
const REACH = 3;			/* pixels beside an event that are it, too */
const UNITS = [[1e9, "s"], [1e6, "ms"], [1e3, "\u00b5s"], [1, "ns"]];

/* Hue and saturation of each kind of event (runtime/trace.def): the loop's iterations are green, checks yellow, copies
   blue.  A span of which a thread waits has no colour.  */
const TINTS = {
  "entry": [215, 20], "refused": [20, 15], "check": [46, 85], "inspect": [28, 80], "conflict": [352, 75], "join": [0, 0],
  "compile": [318, 45], "commit": [280, 45], "drop": [300, 60], "choose": [85, 40], "round": [95, 15],
  "copy": [228, 60], "claim": [178, 75], "wait": [0, 0], "parked": [0, 0], "chunk": [140, 45], "monitor": [64, 60],
  "copy in": [205, 75], "copy out": [250, 60], "clear": [190, 50], "kernel": [165, 60] };

const is_dark = window.matchMedia ("(prefers-color-scheme: dark)");

/* The colour of KIND: one to write on, or if IS_STRONG, one to write with.  */
function tint_of (kind, is_strong)
{
  const [hue, saturation] = Object.hasOwn (TINTS, kind.name) ? TINTS[kind.name] : [0, 0];
  const light = is_dark.matches ? (is_strong ? 68 : 33) : (is_strong ? 38 : 76);
  return `hsl(${hue} ${saturation}% ${light}%)`;
}

const share_text = (part, whole) => `${Math.round (whole > 0 ? 100 * part / whole : 0)} %`;
const moment_text = (ns) => `${(ns / 1e6).toLocaleString ("en", { maximumFractionDigits: 6 })} ms`;

/* ---- what there is to draw */

/* The loop at PLACE; of those that look the same, one that was run; null: it is not on the page.  */
function loop_at (place)
{
  const near = (loops_by_file.get (place.file) ?? []).filter ((loop) => loop.line === place.line
							      && loop.function === place.function);
  return near.find ((loop) => loop.run !== null) ?? near.find ((loop) => loop.threshold !== undefined) ?? near[0] ?? null;
}

const traced_places = data.timelines.places.map ((place) =>
  ({ text: `${place.file.slice (place.file.lastIndexOf ("/") + 1)}:${place.line}`,
     whole: `${place.file}:${place.line} ${place.function}`, loop: loop_at (place) }));

function event_of (fields, row, is_mark)
{
  const kind = data.timelines.kinds[fields[2]], place = traced_places[fields[3]] ?? null;
  return { row, is_mark, kind, place, start: fields[0], end: fields[0] + fields[1],
	   numbers: fields.slice (4, 4 + kind.numbers.length), words: fields.slice (4 + kind.numbers.length),
	   label: place === null ? kind.name : `${kind.name} ${place.text}` };
}

/* TRACK with its spans in lanes, each in the first that is free when it begins.  */
function lanes_of (track)
{
  const row = { track, lanes: [], top: 0, strip: 0, height: 0 }, ends = [];
  row.marks = track.marks.map ((fields) => event_of (fields, row, true));
  for (const fields of track.spans)
    {
      const span = event_of (fields, row, false);
      let lane = 0;
      while (lane < ends.length && ends[lane] > span.start)
	lane++;
      span.lane = lane;
      (row.lanes[lane] ??= []).push (span);
      ends[lane] = span.end;
    }
  return row;
}

/* In EVENTS, none of which begins before another one ends, the place of the first that ends after TIME.  */
function first_after (events, time)
{
  let from = 0, to = events.length;
  while (from < to)
    {
      const middle = (from + to) >> 1;
      if (events[middle].end > time)
	to = middle;
      else
	from = middle + 1;
    }
  return from;
}

/* What EVENT tells.  */
function facts_text (event)
{
  const { numbers, words } = event.kind;
  return [...numbers.map ((name, n) => `${name} ${count_text (event.numbers[n])}`),
	  ...words.map ((name, w) => `${name} ${data.timelines.words[event.words[w]]}`)].join (", ");
}

/* ---- where it is drawn */

const x_of = (picture, time) => picture.left + (time - picture.from) * picture.scale;
const time_at = (picture, x) => picture.from + (x - picture.left) / picture.scale;

/* Give the rows of PICTURE their places.  */
function lay_out (picture)
{
  const n_lanes = picture.rows.reduce ((n, row) => n + Math.max (1, row.lanes.length), 0);
  picture.width = picture.canvas.clientWidth;
  picture.left = Math.min (210, Math.round (picture.width * 0.3));
  picture.scale = Math.max (1, picture.width - picture.left) / (picture.to - picture.from);
  picture.lane = Math.max (3, Math.min (LANE, Math.floor (TALLEST / n_lanes)));
  let top = AXIS;
  for (const row of picture.rows)
    {
      row.top = top;
      row.strip = row.marks.length > 0 ? STRIP : 0;
      row.height = row.strip + picture.lane * Math.max (row.lanes.length, row.strip > 0 ? 0 : 1);
      top += row.height + GAP;
    }
  picture.height = top;
}

/* TEXT, or what of it there is room for.  */
function fit_text (context, text, room)
{
  if (context.measureText (text).width <= room)
    return text;
  let len = text.length - 1;
  while (len > 0 && context.measureText (`${text.slice (0, len)}\u2026`).width > room)
    len--;
  return len > 0 ? `${text.slice (0, len)}\u2026` : "";
}

const label_widths = new Map ();

function label_width (context, label)
{
  if (!label_widths.has (label))
    label_widths.set (label, context.measureText (label).width);
  return label_widths.get (label);
}

/* The times that the axis of PICTURE names: 1, 2 or 5 of a power of ten apart.  */
function draw_axis (context, picture, look)
{
  const least = 90 / picture.scale, power = 10 ** Math.floor (Math.log10 (least));
  const step = power * [1, 2, 5, 10].find ((n) => n * power >= least);
  const [unit, name] = UNITS.find (([size]) => step >= size) ?? UNITS[UNITS.length - 1];
  for (let n = Math.ceil (picture.from / step); n * step <= picture.to; n++)
    {
      const x = Math.round (x_of (picture, n * step));
      context.fillStyle = look.line;
      context.fillRect (x, 0, 1, picture.height);
      const text = `${count_text (Math.round (n * step / unit))} ${name}`;
      context.fillStyle = look.quiet;
      if (x + 4 + context.measureText (text).width <= picture.width)
	context.fillText (text, x + 4, AXIS / 2);
    }
}

/* Write on a span from X to RIGHT what there is room for.  */
function draw_label (context, picture, span, x, right, y)
{
  const from = Math.max (x, picture.left) + 4, room = Math.min (right, picture.width) - from - 3;
  const label = [span.label, span.kind.name].find ((text) => label_width (context, text) <= room);
  if (label !== undefined)
    context.fillText (label, from, y + picture.lane / 2 - 0.5);
}

function draw_spans (context, picture, spans, y, look)
{
  const tall = picture.lane - (picture.lane > 6 ? 2 : 1), has_text = picture.lane >= 12;
  let drawn_to = -1;
  for (let i = first_after (spans, picture.from); i < spans.length && spans[i].start < picture.to; i++)
    {
      const span = spans[i], x = x_of (picture, span.start), right = Math.max (x + 1, x_of (picture, span.end));
      if (right < drawn_to + 0.5)
	continue;
      drawn_to = right;
      if (span.kind.waits && right - x > 4)
	{
	  context.strokeStyle = look.quiet;
	  context.setLineDash ([3, 2]);
	  context.strokeRect (x + 0.5, y + 0.5, right - x - 1.5, tall - 1);
	  context.setLineDash ([]);
	}
      else
	{
	  context.fillStyle = span.kind.waits ? look.line : tint_of (span.kind, false);
	  context.fillRect (x, y, right - x > 3 ? right - x - 1 : right - x, tall);
	}
      if (has_text && right - x > 28)
	{
	  context.fillStyle = look.text;
	  draw_label (context, picture, span, x, right, y);
	}
    }
}

/* The marks of ROW, as ticks through its lanes; those that have room are named.  */
function draw_marks (context, picture, row)
{
  const bottom = row.top + row.height;
  let drawn_to = -1;
  row.marks.forEach ((mark, m) =>
    {
      const x = x_of (picture, mark.start), next = row.marks[m + 1];
      if (x < picture.left - 1 || x > picture.width || x < drawn_to + 0.5)
	return;
      drawn_to = x;
      context.fillStyle = tint_of (mark.kind, true);
      context.fillRect (x - 0.75, row.top, 1.5, bottom - row.top);
      context.beginPath ();
      context.moveTo (x - 4, row.top);
      context.lineTo (x + 4, row.top);
      context.lineTo (x, row.top + 7);
      context.fill ();
      const room = (next === undefined ? picture.width : Math.min (picture.width, x_of (picture, next.start) - 4)) - x - 7;
      if (label_width (context, mark.kind.name) <= room)
	context.fillText (mark.kind.name, x + 7, row.top + STRIP / 2 - 1);
    });
}

/* Frame the chosen event.  */
function draw_chosen (context, picture, look)
{
  const event = picture.chosen;
  if (event === null)
    return;
  const row = event.row, x = x_of (picture, event.start), right = Math.max (x + 1, x_of (picture, event.end));
  const y = event.is_mark ? row.top : row.top + row.strip + event.lane * picture.lane;
  context.strokeStyle = look.focus;
  context.lineWidth = 2;
  context.strokeRect (x - 1, y - 1, right - x + 1, event.is_mark ? row.height + 1 : picture.lane);
  context.lineWidth = 1;
}

/* The names of the tracks, and how busy each is.  */
function draw_names (context, picture, look)
{
  const draw_aside = (text, y) =>
    {
      context.fillStyle = look.quiet;
      context.textAlign = "right";
      context.fillText (text, picture.left - 10, y);
      context.textAlign = "left";
    };
  draw_aside ("busy", AXIS / 2);
  for (const row of picture.rows)
    {
      const y = row.top + Math.min (row.height, 16) / 2;
      context.fillStyle = look.line;
      context.fillRect (0, row.top - GAP / 2, picture.width, 1);
      if (row.height < 12)
	continue;
      context.fillStyle = look.text;
      context.fillText (fit_text (context, row.track.name, picture.left - 56), 2, y);
      draw_aside (share_text (row.track.busy, picture.run.ns), y);
    }
}

function draw_picture (picture)
{
  const canvas = picture.canvas;
  if (canvas.clientWidth === 0)
    return;
  lay_out (picture);
  const dots = window.devicePixelRatio || 1, width = Math.round (picture.width * dots);
  const height = Math.round (picture.height * dots), style = getComputedStyle (document.documentElement);
  const look = Object.fromEntries (["text", "quiet", "line", "focus"].map ((name) =>
    [name, style.getPropertyValue (`--${name}`).trim ()]));
  const context = canvas.getContext ("2d");
  if (canvas.width !== width || canvas.height !== height)
    {
      canvas.style.height = `${picture.height}px`;
      canvas.width = width;
      canvas.height = height;
    }
  context.setTransform (dots, 0, 0, dots, 0, 0);
  context.clearRect (0, 0, picture.width, picture.height);
  context.font = `11px ${style.getPropertyValue ("--sans")}`;
  context.textBaseline = "middle";
  draw_names (context, picture, look);
  context.save ();
  context.beginPath ();
  context.rect (picture.left, 0, picture.width - picture.left, picture.height);
  context.clip ();
  draw_axis (context, picture, look);
  for (const row of picture.rows)
    {
      row.lanes.forEach ((spans, lane) =>
	draw_spans (context, picture, spans, row.top + row.strip + lane * picture.lane, look));
      draw_marks (context, picture, row);
    }
  draw_chosen (context, picture, look);
  context.restore ();
}

/* ---- moving about */

const length_of = (picture) => Math.max (1, picture.run.ns);

/* Have LEN nanoseconds from FROM on in sight, as far as there are.  */
function show_part (picture, from, len)
{
  const shown_len = Math.min (length_of (picture), Math.max (NARROWEST, len));
  picture.from = Math.max (0, Math.min (from, length_of (picture) - shown_len));
  picture.to = picture.from + shown_len;
  draw_picture (picture);
}

/* Have FACTOR times as much in sight; what is at TIME stays where it is.  */
function zoom (picture, time, factor)
{
  const len = Math.min (length_of (picture), Math.max (NARROWEST, (picture.to - picture.from) * factor));
  const part = (time - picture.from) / (picture.to - picture.from);
  show_part (picture, time - part * len, len);
}

/* Zoom around the chosen event, if it is in sight.  */
function zoom_by_key (picture, factor)
{
  const { from, to, chosen } = picture, middle = chosen === null ? -1 : (chosen.start + chosen.end) / 2;
  zoom (picture, middle >= from && middle <= to ? middle : (from + to) / 2, factor);
}

const move_part = (picture, part) =>
  show_part (picture, picture.from + part * (picture.to - picture.from), picture.to - picture.from);

/* Say what EVENT is; null: nothing.  */
function say_event (event)
{
  const line = find ("under");
  if (event === null)
    {
      line.replaceChildren ("\u00a0");
      return;
    }
  const ns = event.end - event.start, facts = facts_text (event);
  line.replaceChildren (
    make ("b", "", event.kind.name), " ", make ("span", "mono", event.place === null ? "" : event.place.whole),
    ` ${event.row.track.name}, `,
    event.is_mark ? `at ${moment_text (event.start)}`
    : `${moment_text (event.start)} to ${moment_text (event.end)}: ${time_text (ns)}`,
    facts === "" ? "" : `; ${facts}`);
}

/* Choose EVENT of PICTURE, and have it in sight.  */
function choose (picture, event)
{
  picture.chosen = event;
  if (event.end < picture.from || event.start > picture.to)
    move_part (picture, (event.start - picture.from) / (picture.to - picture.from) - 0.3);
  else
    draw_picture (picture);
  say_event (event);
}

/* Choose the event N after the chosen one, in order of tracks and times.  */
function choose_next (picture, n)
{
  const at = picture.events.indexOf (picture.chosen) + n;
  if (picture.events.length > 0)
    choose (picture, picture.events[Math.max (0, Math.min (at, picture.events.length - 1))]);
}

/* Open the loop of the chosen event.  */
function open_chosen (picture)
{
  const loop = picture.chosen?.place?.loop ?? null;
  if (loop !== null)
    open_loop (loop);
}

/* The event of PICTURE at X, Y; null: there is none.  */
function event_at (picture, x, y)
{
  const row = picture.rows.find (({ top, height }) => y >= top && y < top + height), reach = REACH / picture.scale;
  if (row === undefined || x < picture.left)
    return null;
  const time = time_at (picture, x), in_strip = y < row.top + row.strip;
  const near = row.marks.filter ((mark) => Math.abs (mark.start - time) <= (in_strip ? 2 : 0.5) * reach);
  if (near.length > 0)
    return near.reduce ((a, b) => Math.abs (a.start - time) < Math.abs (b.start - time) ? a : b);
  const spans = row.lanes[Math.floor ((y - row.top - row.strip) / picture.lane)] ?? [];
  const span = spans[first_after (spans, time)], before = spans[first_after (spans, time) - 1];
  return span !== undefined && span.start <= time ? span
	 : before !== undefined && before.end >= time - reach ? before
	 : span !== undefined && span.start <= time + reach ? span : null;
}

const picture_keys = {
  "+": (picture) => zoom_by_key (picture, 1 / 1.6), "=": (picture) => zoom_by_key (picture, 1 / 1.6),
  "-": (picture) => zoom_by_key (picture, 1.6), "0": (picture) => show_part (picture, 0, picture.run.ns),
  ArrowLeft: (picture) => move_part (picture, -0.15), ArrowRight: (picture) => move_part (picture, 0.15),
  ArrowUp: (picture) => choose_next (picture, -1), ArrowDown: (picture) => choose_next (picture, 1),
  Enter: open_chosen };

/* The picture that is being dragged: from where, and whether it was moved.  */
let drag = null;

function listen (picture)
{
  const canvas = picture.canvas;
  const at = (event) => event_at (picture, event.offsetX, event.offsetY);
  canvas.addEventListener ("keydown", (event) =>
    {
      if (event.ctrlKey || event.altKey || event.metaKey || !Object.hasOwn (picture_keys, event.key))
	return;
      picture_keys[event.key] (picture);
      event.preventDefault ();
      event.stopPropagation ();
    });
  canvas.addEventListener ("wheel", (event) =>
    {
      if (event.offsetX < picture.left || event.ctrlKey)
	return;
      event.preventDefault ();
      const pixels = event.deltaMode === 1 ? 16 : 1, is_aside = Math.abs (event.deltaX) > Math.abs (event.deltaY);
      if (is_aside || event.shiftKey)
	move_part (picture, (is_aside ? event.deltaX : event.deltaY) * pixels / (picture.width - picture.left));
      else
	zoom (picture, time_at (picture, event.offsetX), Math.exp (event.deltaY * pixels * 0.002));
    }, { passive: false });
  canvas.addEventListener ("pointerdown", (event) =>
    {
      drag = event.button === 0 ? { picture, x: event.clientX, from: picture.from, is_moved: false } : null;
    });
  canvas.addEventListener ("pointermove", (event) =>
    {
      if (drag === null)
	say_event (at (event) ?? picture.chosen);
    });
  canvas.addEventListener ("pointerleave", () => say_event (picture.chosen));
  canvas.addEventListener ("click", (event) =>
    {
      const was_moved = drag !== null && drag.is_moved, event_there = at (event);
      drag = null;
      if (was_moved || event_there === null)
	return;
      choose (picture, event_there);
      open_chosen (picture);
    });
}

/* ---- the panel */

function button_of (text, label, on_click)
{
  const button = make ("button", "filter", text);
  button.type = "button";
  button.setAttribute ("aria-label", label);
  button.addEventListener ("click", on_click);
  return button;
}

/* What is left out of RUN, in words.  */
function left_out_text (run)
{
  return (run.left_out > 0 ? `; ${count_text (run.left_out)} shorter ones left out` : "")
	 + (run.marks_left_out > 0 ? `; ${of_number (run.marks_left_out, "later mark", "later marks")} left out` : "")
	 + (run.dropped > 0 ? `; the trace had no room for ${of_number (run.dropped, "event", "events")}` : "");
}

/* The picture of RUN, and what is said of it to those who do not see it.  */
function make_picture (run)
{
  const rows = run.tracks.map (lanes_of), n_spans = run.tracks.reduce ((n, track) => n + track.n_spans, 0);
  const picture = { run, rows, canvas: make ("canvas", ""), from: 0, to: Math.max (1, run.ns), chosen: null,
		    events: rows.flatMap ((row) => [...row.lanes.flat (), ...row.marks].sort ((a, b) => a.start - b.start)) };
  const tracks = make ("ul", "unseen", ...run.tracks.map ((track) =>
    make ("li", "", `${track.name}: ${of_number (track.n_spans, "span", "spans")}, `
		    + `${of_number (track.n_marks, "mark", "marks")}; busy ${share_text (track.busy, run.ns)} of the time, `
		    + `waiting ${share_text (track.waits, run.ns)}`)));
  const tools = make ("span", "zooms", button_of ("\u2212", "Zoom out", () => zoom_by_key (picture, 1.6)),
		      button_of ("+", "Zoom in", () => zoom_by_key (picture, 1 / 1.6)),
		      button_of ("all", "Show all", () => show_part (picture, 0, run.ns)));
  const caption = make ("figcaption", "", make ("b", "", run.name), ` ${time_text (run.ns)}, `,
			`${of_number (n_spans, "span", "spans")}${left_out_text (run)}`, tools);
  caption.title = run.file;
  picture.canvas.tabIndex = 0;
  picture.canvas.setAttribute ("role", "application");
  picture.canvas.setAttribute ("aria-roledescription", "timeline");
  picture.canvas.setAttribute ("aria-label", `${run.name}: plus and minus zoom, arrows to left and right move, 0 shows `
					      + "all, arrows up and down choose an event, Enter opens its loop");
  listen (picture);
  find ("pictures").append (make ("figure", "", caption, picture.canvas, tracks));
  return picture;
}

/* What the colours mean, of the kinds that there are.  */
function make_legend ()
{
  const kinds = new Map (data.timelines.kinds.map ((kind) => [kind.name, kind]));
  const marks = new Set (pictures.flatMap ((picture) => picture.rows.flatMap ((row) =>
    row.marks.map ((mark) => mark.kind.name))));
  const order = Object.keys (TINTS), rank = (name) => (order.indexOf (name) + order.length + 1) % (order.length + 1);
  find ("legend").replaceChildren (...[...kinds.values ()].sort ((a, b) => rank (a.name) - rank (b.name)).map ((kind) =>
    {
      const is_mark = marks.has (kind.name), swatch = make ("i", is_mark ? "mark" : kind.waits ? "wait" : "");
      if (!kind.waits)
	swatch.style.backgroundColor = tint_of (kind, is_mark);
      return make ("span", "kind", swatch, kind.name);
    }));
}

function draw_pictures ()
{
  for (const picture of pictures)
    draw_picture (picture);
}

const pictures = data.timelines.runs.map (make_picture);

if (pictures.length > 0)
  {
    const fold = find ("fold");
    find ("timeline").hidden = false;
    make_legend ();
    say_event (null);
    draw_pictures ();
    reveal ();
    fold.addEventListener ("click", () =>
      {
	const is_open = fold.getAttribute ("aria-expanded") !== "true";
	fold.setAttribute ("aria-expanded", is_open);
	for (const id of ["pictures", "legend", "under"])
	  find (id).hidden = !is_open;
	draw_pictures ();
	reveal ();
      });
    window.addEventListener ("resize", draw_pictures);
    window.addEventListener ("pointermove", (event) =>
      {
	if (drag === null || event.buttons === 0)
	  return;
	const x = event.clientX - drag.x;
	drag.is_moved ||= Math.abs (x) > REACH;
	if (drag.is_moved)
	  show_part (drag.picture, drag.from - x / drag.picture.scale, drag.picture.to - drag.picture.from);
      });
    window.addEventListener ("pointerup", (event) =>
      {
	if (drag !== null && event.target !== drag.picture.canvas)
	  drag = null;
      });
    window.addEventListener ("pointercancel", () => drag = null);
    is_dark.addEventListener ("change", () =>
      {
	make_legend ();
	draw_pictures ();
      });
  }
