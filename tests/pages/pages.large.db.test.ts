import { describe, expect } from 'vitest'
import { describeReading, listenTo, test } from './describe-reading.ts'
import { narrowest, widths } from './pages.ts'

/** Those parts of an OpenAPI document that are read here. */
interface Described {
  paths: Record<string, Record<string, { tags: string[] }>>
}

describe('every page', () => {
  describeReading('light and dark, on a laptop, a phone and the narrowest one', [
    { colorScheme: 'light', width: widths.laptop, axe: 'all' },
    { colorScheme: 'light', width: widths.phone, axe: 'all' },
    { colorScheme: 'dark', width: widths.laptop, axe: 'colours' },
    { colorScheme: 'dark', width: widths.phone, axe: 'colours' },
    { colorScheme: 'dark', width: narrowest },
  ])
})

test('the page of the API shows its operations, and asks nobody else for anything', async ({
  scene,
  windowOf,
}) => {
  const { paths } = (await (await fetch(`${scene.baseUrl}/api/openapi.json`)).json()) as Described
  const tagsOf = (path: Described['paths'][string]) => Object.values(path).flatMap((it) => it.tags)
  const page = await windowOf(false)
  const complaints = listenTo(page, scene)
  await page.goto('/api/docs')
  const questions = page.getByRole('link', { name: 'questions', exact: true })
  await questions.waitFor()
  const shown = await page.locator('.opblock-tag').allInnerTexts()
  expect(new Set(shown)).toEqual(new Set(Object.values(paths).flatMap(tagsOf)))
  await questions.click()
  await page.getByText('List questions').click()
  await page.getByRole('button', { name: 'Try it out' }).waitFor()
  const operations = await page.locator('.opblock-summary-path').count()
  const ofQuestions = Object.values(paths)
    .flatMap(tagsOf)
    .filter((tag) => tag === 'questions')
  expect(operations).toBe(ofQuestions.length)
  expect(complaints).toEqual([])
})
