import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  type Citable,
  anchorsOf,
  commentsOf,
  headingsOf,
  linksOf,
  unresolved,
} from './citations.ts'
import { rulesPage } from './render.ts'
import { headings, placedRules, rules } from './rules.ts'
import { stateRows } from './state-rows.ts'

const root = join(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const list = (...patterns: string[]) =>
  globSync(patterns, { cwd: root, exclude: (path) => path.includes('node_modules') }).toSorted()

const sources = list('*.{ts,mjs}', '{apps,packages,scripts,tests}/**/*.{ts,sql,mjs}')
const pages = list('*.md', 'docs/*.md', 'packages/*/README.md')

const invariantsPage = 'docs/invariants.md'

const printed = headingsOf(rulesPage())
const numbersOf = (found: readonly string[], word: string) =>
  new Set(found.flatMap((one) => new RegExp(`^${word} (\\d+[a-z]?)$`).exec(one)?.[1] ?? []))

const citable: Citable = {
  places: new Map(
    headings
      .filter((heading) => printed.includes(heading))
      .map((heading) => [
        heading,
        new Set(placedRules.filter((it) => it.heading === heading).map(({ place }) => place)),
      ]),
  ),
  decisions: numbersOf(headingsOf(read('docs/decisions.md')), 'Decision'),
  rows: numbersOf(printed, 'Row'),
  rules: new Set(rules.map(({ id }) => id)),
}

describe('a reader who has only this repository can look up', () => {
  test('every heading, row, decision and rule that a comment names', () => {
    expect(
      sources.flatMap((path) =>
        commentsOf(read(path)).flatMap((comment) =>
          unresolved(comment, citable).map((cited) => `${path}: ${cited}`),
        ),
      ),
    ).toEqual([])
  })

  test('every row, decision and rule that a page names', () => {
    // in the rules the rows of every table have numbers
    const prose = pages.filter((path) => path !== 'docs/rules.md')
    expect(
      prose.flatMap((path) => unresolved(read(path), citable).map((cited) => `${path}: ${cited}`)),
    ).toEqual([])
  })

  test('every invariant that the code or a page names, in the order of the numbers', () => {
    const named = [...sources, ...pages.filter((path) => path !== invariantsPage)].flatMap(
      (path) => read(path).match(/\b[IQ]-\d\d\b/g) ?? [],
    )
    const explained = read(invariantsPage).matchAll(/^- \*\*([IQ]-\d\d)\*\*: /gm)
    expect(Array.from(explained, ([, id]) => id)).toEqual([...new Set(named)].toSorted())
  })

  test('every page and heading that a page links to', () => {
    expect(
      pages.flatMap((path) =>
        linksOf(read(path))
          .filter((target) => !leadsSomewhere(path, target))
          .map((target) => `${path}: ${target}`),
      ),
    ).toEqual([])
  })
})

function leadsSomewhere(from: string, target: string): boolean {
  const [path = '', fragment] = target.split('#')
  const page = path === '' ? from : join(dirname(from), path)
  if (!existsSync(join(root, page))) return false
  return fragment === undefined || anchorsOf(read(page)).has(fragment)
}

describe('the rules', () => {
  test('stand under headings that are printed', () => {
    const under = new Set(placedRules.map(({ heading }) => heading))
    expect([...under].toSorted()).toEqual(headings.toSorted())
  })

  test('of the states name rows that have a sentence', () => {
    const named = placedRules.filter(({ heading }) => heading === 'States and transitions')
    const rows = new Set(named.flatMap(({ place }) => /^row (\d+)$/.exec(place)?.[1] ?? []))
    expect([...rows].toSorted()).toEqual(Object.keys(stateRows).toSorted())
  })

  test('have a sentence each, no two the same', () => {
    const sentences = rules.map(({ rule }) => rule)
    expect(sentences.filter((sentence) => !sentence.endsWith('.'))).toEqual([])
    expect(new Set(sentences).size).toBe(rules.length)
  })
})

test('no decision has the number of another', () => {
  const numbers = headingsOf(read('docs/decisions.md')).filter((it) => it.startsWith('Decision '))
  expect(numbers).toHaveLength(citable.decisions.size)
})

test('the glossary explains each word once', () => {
  const entries = read('docs/glossary.md').matchAll(/^- \*\*(.+?)\*\*((?: \([^)]*\))?):/gm)
  const terms = Array.from(entries, ([, word = '', sense = '']) => word + sense)
  expect(terms.length).toBeGreaterThan(0)
  expect(terms.filter((term, index) => terms.indexOf(term) !== index)).toEqual([])
})

describe('a citation', () => {
  const known: Citable = {
    places: new Map([
      ['Events', new Set(['', 'row webhook.ping'])],
      ['Limits', new Set(['row Retry backoff after a failure'])],
      ['States and transitions', new Set(['row 2', 'row 3'])],
    ]),
    decisions: new Set(['5a', '24']),
    rows: new Set(['2', '3']),
    rules: new Set(['a.one']),
  }

  test.each([
    'Here. spec: Events: polled. Then more',
    'spec: Events, row webhook.ping; Limits, row Retry backoff.',
    'spec: States and transitions, rows 2 and 3. Decisions 5a and 24, row 2, the rule a.one.',
  ])('that can be looked up needs no correction: %s', (comment) => {
    expect(unresolved(comment, known)).toEqual([])
  })

  test.each([
    ['spec: Event.', 'spec: Event'],
    ['spec: Events, row webhook.', 'spec: Events, row webhook'],
    ['spec: States and transitions, rows 2 to 4.', 'spec: States and transitions, rows 2 to 4'],
    ['Decision 2.', 'decision 2'],
    ['All of rows 3 and 9.', 'row 9'],
    ['the rule a.two', 'rule a.two'],
  ])('that leads nowhere is found: %s', (comment, found) => {
    expect(unresolved(comment, known)).toEqual([found])
  })

  test('is found in comments of every form, over lines too, and not in the code', () => {
    const text = [
      "const a = 'row 9' // of decision 1",
      '/** First',
      ' * and row 2. */',
      '-- Row 3 of',
      '-- two lines',
      "const b = 'https://row 9/**'",
    ].join('\n')
    expect(commentsOf(text)).toEqual(['of decision 1', 'First and row 2.', 'Row 3 of two lines'])
  })
})
