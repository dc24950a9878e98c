import { descriptionPaths } from '@svc/contracts/openapi/other-operations'

const { docs, openApi } = descriptionPaths

/** Nothing from elsewhere, nothing inline; the library draws its icons from `data:`. */
export const docsPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

export const docsPage = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>svc API</title>
<link rel="icon" href="${docs}/favicon-32x32.png">
<link rel="stylesheet" href="${docs}/swagger-ui.css">
</head>
<body>
<div id="docs"></div>
<script src="${docs}/swagger-ui-bundle.js"></script>
<script src="${docs}/start.js"></script>
</body>
</html>
`

/** `validatorUrl`: the library would have a service of its makers judge the document. */
export const docsStart = `SwaggerUIBundle({
  url: '${openApi}',
  dom_id: '#docs',
  deepLinking: true,
  docExpansion: 'none',
  validatorUrl: null,
})
`
