import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Outline } from "../session/outline";
import { page } from "../session/outlineTesting";
import { Layout, NOWHERE } from "./layout";
import { chain, fan, outlineOf, type Rows } from "./treeTesting";

/** Trees in an order of creation: each number says which earlier node is the parent, or, at times, none. */
const TREES = fc
  .array(fc.record({ up: fc.nat(), isRoot: fc.integer({ min: 0, max: 30 }), goesOn: fc.boolean() }), {
    maxLength: 120,
  })
  .map(
    (choices): Rows =>
      choices.map(({ up, isRoot, goesOn }, index) => [
        `n${index}`,
        index === 0 || isRoot === 0 ? null : `n${goesOn ? index - 1 : up % index}`,
      ]),
  );

function laidOut(rows: Rows): Layout {
  const layout = new Layout(outlineOf(rows));
  layout.grow();
  return layout;
}

function cells(layout: Layout): [string, number, number][] {
  return layout.ids.map((id, index) => [id, layout.rows[index] as number, layout.columns[index] as number]);
}

describe("Layout", () => {
  it("gives no cell to two nodes, and finds each in its own", () => {
    fc.assert(
      fc.property(TREES, (rows) => {
        const layout = laidOut(rows);
        expect(layout.size).toBe(rows.length);
        expect(new Set(cells(layout).map(([, row, column]) => `${row}/${column}`)).size).toBe(rows.length);
        for (const [id, row, column] of cells(layout))
          expect(layout.at(row, column)).toBe(layout.indexOf(id));
      }),
    );
  });

  it("puts a child one row below its parent, and siblings from left to right", () => {
    fc.assert(
      fc.property(TREES, (rows) => {
        const layout = laidOut(rows);
        const last = new Map<number, number>();
        layout.ids.forEach((_, index) => {
          const parent = layout.parents[index] as number;
          expect(layout.rows[index]).toBe(parent === NOWHERE ? 0 : (layout.rows[parent] as number) + 1);
          expect(layout.columns[index]).toBeGreaterThan(last.get(parent) ?? NOWHERE);
          last.set(parent, layout.columns[index] as number);
        });
      }),
    );
  });

  it("has nothing but its parent right above a node", () => {
    fc.assert(
      fc.property(TREES, (rows) => {
        const layout = laidOut(rows);
        layout.ids.forEach((_, index) => {
          const above = layout.at((layout.rows[index] as number) - 1, layout.columns[index] as number);
          expect([NOWHERE, layout.parents[index]]).toContain(above);
        });
      }),
    );
  });

  it("never moves what it has placed, and comes to the same bit by bit as at once", () => {
    fc.assert(
      fc.property(TREES, fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1 }), (rows, steps) => {
        const outline = new Outline();
        const layout = new Layout(outline);
        let before = cells(layout);
        for (let from = 0, step = 0; from < rows.length; step += 1) {
          const to = from + (steps[step % steps.length] as number);
          outline.take(page(rows.slice(from, to)));
          layout.grow();
          expect(cells(layout).slice(0, before.length)).toEqual(before);
          before = cells(layout);
          from = to;
        }
        expect(before).toEqual(cells(laidOut(rows)));
      }),
    );
  });

  it("finds in some cells the nodes and the spans that are there", () => {
    const edge = fc.integer({ min: -2, max: 30 });
    fc.assert(
      fc.property(TREES, edge, edge, edge, edge, (rows, top, height, left, width) => {
        const layout = laidOut(rows);
        const view = { top, bottom: top + height, left, right: left + width };
        const nodes: number[] = [];
        layout.each(view, (index) => nodes.push(index));
        const spans: number[] = [];
        layout.spans.each(view, (span) => spans.push(span.node));
        const indexes = layout.ids.map((_, index) => index);
        const inRows = (index: number) =>
          (layout.rows[index] as number) >= view.top && (layout.rows[index] as number) <= view.bottom;
        expect(nodes.sort(ascending)).toEqual(
          indexes.filter((index) => {
            const column = layout.columns[index] as number;
            return inRows(index) && column >= view.left && column <= view.right;
          }),
        );
        expect(spans.sort(ascending)).toEqual(
          indexes.filter((index) => {
            const span = layout.spans.of(index);
            return span && inRows(index) && span.left <= view.right && span.right >= view.left;
          }),
        );
      }),
    );
  });

  it("keeps a branch straight, and forks beside it", () => {
    const layout = laidOut([
      ["a", null],
      ["b", "a"],
      ["c", "b"],
      ["x", "a"],
      ["y", "x"],
      ["z", "a"],
      ["r", null],
    ]);
    expect(cells(layout)).toEqual([
      ["a", 0, 0],
      ["b", 1, 0],
      ["c", 2, 0],
      ["x", 1, 1],
      ["y", 2, 1],
      ["z", 1, 2],
      ["r", 0, 3],
    ]);
    expect(layout.spans.of(0)).toMatchObject({ row: 0, left: 0, right: 2 });
    expect(layout.spans.of(1)).toBeUndefined();
  });

  it("bends a branch that comes upon another", () => {
    const trunk = chain(40);
    const low = chain(20, "low", "n19");
    const high = chain(30, "high", "n3");
    const layout = laidOut([...trunk, ...low, ...high]);
    const column = (id: string) => layout.columns[layout.indexOf(id)];
    expect(column("low0")).toBe(1);
    expect(column("high0")).toBe(1);
    expect(column("high14")).toBe(1);
    expect(layout.rows[layout.indexOf("high14")]).toBe(18);
    expect(column("high15")).toBe(2);
    expect(column("high29")).toBe(2);
  });

  it("shows whose span is whose: those of one gap that overlap lie in different lanes", () => {
    const layout = laidOut([
      ["a", null],
      ["p", "a"],
      ["q", "a"],
      ["p1", "p"],
      ["q1", "q"],
      ["p2", "p"],
      ["q2", "q"],
    ]);
    const [p, q] = [layout.spans.of(layout.indexOf("p")), layout.spans.of(layout.indexOf("q"))];
    expect(p && q && p.right >= q.left).toBe(true);
    expect(p?.lane).not.toBe(q?.lane);
  });

  it("waits for a parent that comes later", () => {
    const layout = laidOut([
      ["c", "b"],
      ["b", "a"],
      ["a", null],
    ]);
    expect(layout.ids).toEqual(["a", "b", "c"]);
  });

  it("takes deep chains and wide fans in its stride", () => {
    for (const rows of [chain(20_000), fan(20_000), [...fan(5_000), ...twoEach(5_000)]]) {
      const outline = outlineOf(rows);
      const start = performance.now();
      const layout = new Layout(outline);
      layout.grow();
      expect(performance.now() - start).toBeLessThan(2_000);
      expect(layout.size).toBe(rows.length);
    }
  });
});

function twoEach(parents: number): Rows {
  return Array.from({ length: parents * 2 }, (_, index) => [`k${index}`, `n${1 + (index % (parents - 1))}`]);
}

function ascending(a: number, b: number): number {
  return a - b;
}
