// Apart from svc.cjs, because a Node that is too old cannot even read an `import`.
void import('../dist/main.js')
