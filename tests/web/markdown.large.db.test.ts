import { expect } from 'vitest'
import { goTo } from '../pages/go-to.ts'
import type { PageScene } from '../pages/scene.ts'
import { type AppWindow, test } from './scene.ts'

/** The page of what needs a person, with that question of an agent. */
async function openQuestion(
  { openApp, scene }: { openApp: () => Promise<AppWindow>; scene: PageScene },
  question: string,
): Promise<AppWindow> {
  const { project, mission } = await scene.world.missionWith(['Theme switch'])
  const runner = await scene.world.connectedRunner(project)
  const { agent } = await scene.world.attachedRun(mission.objectives[0], runner)
  await agent.ask({ question })
  const opened = await openApp()
  await goTo(opened.page, scene, '')
  return opened
}

test('an entity in Markdown is the sign that it names, and what is none stays as it is', async ({
  openApp,
  scene,
}) => {
  const { page, misdeeds } = await openQuestion(
    { openApp, scene },
    'Is **&copy;** 1 &lt; 2 &amp; &hellip; or &nothing; &lt;b&gt;?',
  )
  await page.getByText('Is © 1 < 2 & … or &nothing; <b>?').first().waitFor()
  expect(misdeeds).toEqual([])
})

const written = `# One
#### Four
A *word*, **two**, ~~three~~, \`four\`\\
and [a page](https://example.com/a "title") of [another][b], https://example.com/c

[b]: https://example.com/b

> quoted

---

- tight
  1. inner
- [x] done
- [ ] open

3. loose

4. again

\`\`\`ts
if (a < b) {}
\`\`\`

| left | right |
| --- | ---: |
| 1 | 2[^n] |

[^n]: A note.

![picture](https://example.com/p.png) <b>kept</b>

<div>gone</div>`

test('Markdown is drawn as what it says, without its pictures and its HTML', async ({
  openApp,
  scene,
}) => {
  const { page, misdeeds } = await openQuestion({ openApp, scene }, written)
  const drawn = page.locator('div:has(> h3)').filter({ hasText: 'A note.' }).last()
  await drawn.waitFor()
  const html = await drawn.innerHTML()
  expect(html.replaceAll(/ (class|target|rel)="[^"]*"/g, '')).toMatchInlineSnapshot(
    `"<h3>One</h3><h4>Four</h4><p>A <em>word</em>, <strong>two</strong>, <del>three</del>, <code>four</code><br>and <a href="https://example.com/a">a page</a><span> (example.com)</span> of <a href="https://example.com/b">another</a><span> (example.com)</span>, <a href="https://example.com/c">https://example.com/c</a><span> (example.com)</span></p><blockquote><p>quoted</p></blockquote><hr><ul><li>tight<ol start="1"><li>inner</li></ol></li><li>☑ done</li><li>☐ open</li></ul><ol start="3"><li><p>loose</p></li><li><p>again</p></li></ol><pre><code>if (a &lt; b) {}</code></pre><table><thead><tr><th>left</th><th style="text-align: right;">right</th></tr></thead><tbody><tr><td>1</td><td style="text-align: right;">2<sup>[n]</sup></td></tr></tbody></table><div><sup>[n]</sup> <p>A note.</p></div><p> kept</p>"`,
  )
  expect(misdeeds).toEqual([])
})
