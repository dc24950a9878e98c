import { pictureOf, schemes, picturedPages, widths } from '../pages/pages.ts'
import { page, table } from './markdown.ts'

export function pagesPage(): string {
  const sections = picturedPages.map(({ name, about }) => {
    const rows = Object.keys(widths).map((device) => [
      device,
      ...schemes.map((scheme) => `![${name}](${pictureOf({ name, device, scheme })})`),
    ])
    return `## ${name}\n\n${about}\n\n${table(['', ...schemes], rows)}`
  })
  return page(
    'Pages',
    'What people open in a browser. Those of the service itself have no script, those of the web app no script but its own, and all can be used with a keyboard alone. `npm run screenshots` takes these pictures.',
    ...sections,
  )
}
