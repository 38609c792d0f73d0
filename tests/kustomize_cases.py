"""Small repositories with kustomizations, for the reader and for kustomize itself."""

from __future__ import annotations

DEPLOYMENT = """\
apiVersion: apps/v1
kind: Deployment
metadata:
  name: server
  labels:
    role: prefill
spec:
  template:
    metadata:
      labels: {app: server}
    spec:
      initContainers:
      - name: fetch
        image: registry.example:5000/fetch:1.0
        command: [sh, -c, "fetch all"]
      containers:
      - name: main
        image: engine/server:v1
        command: [python3, -m, engine.serve]
        args: [--role, prefill, --port, "8000"]
        env:
        - name: A
          value: "1"
        - name: B
          value: "2"
        ports:
        - containerPort: 8000
        - containerPort: 9000
        volumeMounts:
        - {name: data, mountPath: /data}
      - name: side
        image: engine/side
      volumes:
      - name: data
        emptyDir: {}
"""

CUSTOM = """\
apiVersion: example.com/v1
kind: ServingGroup
metadata:
  name: group
spec:
  roles:
  - name: prefill
    template:
      containers:
      - name: main
        image: engine/server:v1
        args: [--role, prefill]
  - name: decode
    template:
      containers:
      - name: main
        image: engine/server:v1
        args: [--role, decode]
  job:
    image: engine/server:v1
"""

BASE = {
    "base/deployment.yaml": DEPLOYMENT,
    "base/custom.yaml": CUSTOM,
    "base/kustomization.yaml": "resources: [deployment.yaml, custom.yaml]\n",
}
"""A base with a built-in and a custom object."""

GENERATED = "generatorOptions: {disableNameSuffixHash: true}\n"


def overlay(text: str, **files: str) -> dict[str, str]:
    """A kustomization that uses the base, with files beside it (``__`` in a name is a dot)."""
    beside = {f"top/{name.replace('__', '.')}": content for name, content in files.items()}
    return {**BASE, "top/kustomization.yaml": f"resources: [../base]\n{text}", **beside}


CASES: dict[str, dict[str, str]] = {
    "plain": overlay(""),
    "images: tag, name and digest": overlay(
        """\
images:
- name: engine/server
  newTag: v2
- name: engine/side
  newName: mirror.example/side
- name: registry.example:5000/fetch
  digest: sha256:0123456789012345678901234567890123456789012345678901234567890123
"""
    ),
    "images: name and tag, twice": overlay(
        """\
images:
- name: engine/server
  newName: other/server
  newTag: v2
- name: other/server
  newTag: v3
"""
    ),
    "images: a pattern as a name": overlay("images: [{name: engine/.*, newTag: v9}]\n"),
    "images: fields of a configuration": overlay(
        "images: [{name: engine/server, newTag: v2}]\nconfigurations: [fields.yaml]\n",
        fields__yaml="images:\n- path: spec/job/image\n  kind: ServingGroup\n",
    ),
    "images: suffix of a tag": overlay("images: [{name: engine/server, tagSuffix: -cu13}]\n"),
    "a patch in a file that holds only arguments": overlay(
        "patches: [{path: patch.yaml}]\n",
        patch__yaml="""\
apiVersion: apps/v1
kind: Deployment
metadata: {name: server}
spec:
  template:
    spec:
      containers:
      - name: main
        args: [--role, decode]
""",
    ),
    "lists that merge by key": overlay(
        """\
patches:
- patch: |-
    apiVersion: apps/v1
    kind: Deployment
    metadata: {name: server}
    spec:
      template:
        spec:
          $setElementOrder/containers: [{name: side}, {name: main}]
          initContainers: []
          containers:
          - name: new
            image: engine/new
          - name: main
            command: null
            env:
            - name: C
              value: "3"
            - name: A
              value: changed
            - $patch: delete
              name: B
            ports:
            - containerPort: 9000
              name: metrics
            volumeMounts:
            - {name: data, mountPath: /more}
          - $patch: delete
            name: side
          volumes:
          - name: more
            emptyDir: {}
"""
    ),
    "a list that is replaced": overlay(
        """\
patches:
- patch: |-
    apiVersion: apps/v1
    kind: Deployment
    metadata: {name: server}
    spec:
      template:
        spec:
          containers:
          - $patch: replace
          - name: only
            image: engine/only
            args: [a]
"""
    ),
    "mappings that are replaced and deleted": overlay(
        """\
patches:
- patch: |-
    apiVersion: apps/v1
    kind: Deployment
    metadata: {name: server}
    spec:
      template:
        spec:
          $patch: replace
          containers:
          - name: only
            image: engine/only
- target: {kind: ServingGroup}
  patch: |-
    apiVersion: example.com/v1
    kind: ServingGroup
    metadata: {name: whatever}
    spec:
      job: {$patch: delete}
"""
    ),
    "lists of custom objects are replaced": overlay(
        """\
patchesStrategicMerge:
- |-
  apiVersion: example.com/v1
  kind: ServingGroup
  metadata: {name: group}
  spec:
    roles:
    - name: decode
      template:
        containers: [{name: main, args: [--x]}]
"""
    ),
    "an object that is deleted": overlay(
        "patchesStrategicMerge: [gone.yaml]\n",
        gone__yaml="""\
$patch: delete
apiVersion: apps/v1
kind: Deployment
metadata: {name: server}
""",
    ),
    "operations": overlay(
        """\
patches:
- target: {kind: Deployment, name: server}
  patch: |-
    - op: test
      path: /spec/template/spec/containers/0/name
      value: main
    - op: replace
      path: /spec/template/spec/containers/0/args/1
      value: decode
    - op: add
      path: /spec/template/spec/containers/0/args/-
      value: --more
    - op: add
      path: /spec/template/spec/containers/0/args/0
      value: --first
    - op: remove
      path: /spec/template/spec/containers/0/env/0
    - op: add
      path: /metadata/annotations
      value: {example.com/a~b: x}
    - op: copy
      from: /spec/template/spec/containers/0/args
      path: /spec/template/spec/containers/1/args
    - op: move
      from: /spec/template/spec/containers/1/image
      path: /spec/template/spec/containers/1/was
    - op: add
      path: /spec/template/spec/containers/1/image
      value: engine/moved
"""
    ),
    "operations on what is not there": overlay(
        """\
patches:
- target: {kind: Deployment}
  patch: |-
    - {op: test, path: /spec/none, value: null}
    - {op: replace, path: /spec/template/spec/containers/1/args, value: [new]}
    - {op: add, path: /spec/template/spec/containers/-1, value: {name: last, image: engine/last}}
"""
    ),
    "items that say replace": overlay(
        """\
patches:
- patch: |-
    apiVersion: apps/v1
    kind: Deployment
    metadata: {name: server}
    spec:
      template:
        spec:
          containers:
          - {name: side, image: engine/never, $patch: replace}
          - {name: new, image: engine/new, $patch: replace}
"""
    ),
    "operations with escapes in JSON": overlay(
        """\
patchesJson6902:
- target: {version: v1, group: example.com, kind: ServingGroup, name: group}
  path: patch.json
""",
        patch__json="""\
[{"op": "add", "path": "/metadata/annotations", "value": {"a/b": "1"}},
 {"op": "replace", "path": "/metadata/annotations/a~1b", "value": "2"},
 {"op": "replace", "path": "/spec/roles/1/template/containers/0/image", "value": "engine/x:1"}]
""",
    ),
    "targets by pattern and label": overlay(
        """\
patches:
- target: {kind: Serving.*, name: gr(ou|ai)p}
  patch: '- {op: replace, path: /spec/job/image, value: by/pattern}'
- target: {labelSelector: "role in (prefill, decode),!absent"}
  patch: '- {op: replace, path: /spec/template/spec/containers/0/image, value: by/label}'
- target: {labelSelector: "role=decode"}
  patch: '- {op: replace, path: /spec/template/spec/containers/1/image, value: not/me}'
- target: {name: serve}
  patch: '- {op: replace, path: /spec/template/spec/containers/1/image, value: not/me}'
"""
    ),
    "prefix, suffix and namespace": {
        **overlay(
            """\
namePrefix: x-
nameSuffix: -y
namespace: there
patches:
- patch: |-
    apiVersion: apps/v1
    kind: Deployment
    metadata: {name: server}
    spec: {template: {spec: {containers: [{name: main, args: [below]}]}}}
"""
        ),
        "base/kustomization.yaml": "resources: [deployment.yaml, custom.yaml]\nnamePrefix: b-\n",
    },
    "labels that a later kustomization selects": {
        **BASE,
        "middle/kustomization.yaml": "resources: [../base]\ncommonLabels: {tier: gpu}\n",
        "top/kustomization.yaml": """\
resources: [../middle]
patches:
- target: {labelSelector: tier=gpu, kind: Deployment}
  patch: '- {op: replace, path: /spec/template/spec/containers/0/args/1, value: decode}'
""",
    },
    "a component": overlay(
        "components: [part]\n",
        **{
            "part/kustomization__yaml": """\
apiVersion: kustomize.config.k8s.io/v1alpha1
kind: Component
images: [{name: engine/server, newTag: from-component}]
patches: [{path: args.yaml}]
""",
            "part/args__yaml": """\
apiVersion: apps/v1
kind: Deployment
metadata: {name: server}
spec: {template: {spec: {containers: [{name: main, args: [component]}]}}}
""",
        },
    ),
    "generators": overlay(
        GENERATED
        + """\
configMapGenerator:
- name: scripts
  files: [run.sh, other=more.sh]
  literals: [KEY=value, "QUOTED='a b'"]
  envs: [set.env]
- name: scripts
  behavior: merge
  literals: [KEY=merged]
- name: second
  literals: [A=1, B=2]
- name: second
  behavior: replace
  literals: [C=3]
""",
        run__sh="#!/bin/sh\npython3 -m engine.serve --role $ROLE\n",
        more__sh="echo x\n\n",
        set__env="# text\nONE=1\n\nTWO=a=b\n",
    ),
    "names of ConfigMaps are followed": {
        "app/kustomization.yaml": GENERATED
        + """\
resources: [pod.yaml]
configMapGenerator: [{name: scripts, literals: [A=1]}]
namePrefix: app-
""",
        "app/pod.yaml": """\
apiVersion: v1
kind: Pod
metadata: {name: p}
spec:
  containers:
  - name: c
    image: x
    envFrom: [{configMapRef: {name: scripts}}]
  volumes:
  - name: v
    configMap: {name: scripts}
""",
        "other/kustomization.yaml": "resources: [../app]\nnameSuffix: -other\n",
        "top/kustomization.yaml": "resources: [../app, ../other]\n",
    },
    "an old name of a ConfigMap": {
        "app/kustomization.yaml": GENERATED
        + """\
configMapGenerator: [{name: scripts, literals: [A=1]}]
namePrefix: app-
""",
        "top/kustomization.yaml": "resources: [../app, pod.yaml]\nnameSuffix: -x\n",
        "top/pod.yaml": """\
apiVersion: v1
kind: Pod
metadata: {name: p}
spec:
  containers: [{name: c, image: x}]
  volumes:
  - name: v
    projected: {sources: [{configMap: {name: scripts}}]}
""",
    },
    "a list and several documents": {
        "top/kustomization.yaml": "resources: [all.yaml]\nimages: [{name: a, newTag: v2}]\n",
        "top/all.yaml": """\
apiVersion: v1
kind: List
items:
- {apiVersion: v1, kind: Pod, metadata: {name: p1}, spec: {containers: [{name: c, image: a}]}}
- {apiVersion: v1, kind: Pod, metadata: {name: p2}, spec: {containers: [{name: c, image: "a:v1"}]}}
---
# nothing
---
apiVersion: v1
kind: Pod
metadata: {name: p3}
spec:
  containers:
  - name: c
    image: a@sha256:0123456789012345678901234567890123456789012345678901234567890123
""",
    },
    "replacements": overlay(
        GENERATED
        + """\
configMapGenerator: [{name: settings, literals: [image=registry.example/server:v7, role=decode]}]
replacements:
- source: {kind: ConfigMap, name: settings, fieldPath: data.image}
  targets:
  - select: {kind: Deployment}
    fieldPaths: ["spec.template.spec.containers.[name=main].image"]
  - select: {kind: ServingGroup}
    reject: [{name: other}]
    fieldPaths: ["spec.roles.*.template.containers.0.image"]
- source:
    kind: ConfigMap
    name: settings
    fieldPath: data.image
    options: {delimiter: ":", index: 1}
  targets:
  - select: {kind: Deployment}
    fieldPaths: ["spec.template.spec.initContainers.[name=fetch].image"]
    options: {delimiter: ":", index: 2}
- source: {kind: ConfigMap, name: settings, fieldPath: data.role}
  targets:
  - select: {kind: Deployment}
    fieldPaths: ["spec.template.spec.containers.[name=main].args.1"]
  - select: {kind: Deployment}
    fieldPaths: ["metadata.annotations.role"]
    options: {create: true}
"""
    ),
    "replacements in a file": overlay(
        "replacements: [{path: copy.yaml}]\n",
        copy__yaml="""\
- source: {kind: Deployment, fieldPath: "spec.template.spec.containers.[name=side].image"}
  targets:
  - select: {kind: ServingGroup}
    fieldPaths: [spec.job.image]
""",
    ),
    "variables": {
        **overlay(
            """\
vars:
- name: WHO
  objref: {apiVersion: example.com/v1, kind: ServingGroup, name: group}
- name: IMAGE
  objref: {apiVersion: apps/v1, kind: Deployment, name: server}
  fieldref: {fieldpath: "spec.template.spec.containers[0].image"}
namePrefix: x-
"""
        ),
        "base/deployment.yaml": DEPLOYMENT.replace(
            "[--role, prefill, ", "[--for=$(WHO), $(OTHER), $(IMAGE), "
        ),
    },
    "transformers in files": overlay(
        "transformers: [images.yaml, patch]\n",
        images__yaml="""\
apiVersion: builtin
kind: ImageTagTransformer
metadata: {name: tags}
imageTag: {name: engine/server, newTag: v5}
""",
        **{
            "patch/kustomization__yaml": "resources: [patch.yaml]\n",
            "patch/patch__yaml": """\
apiVersion: builtin
kind: PatchTransformer
metadata: {name: patch}
target: {kind: Deployment}
patch: '- {op: replace, path: /spec/template/spec/containers/0/args/1, value: decode}'
""",
        },
    ),
    "a schema of custom objects": {
        **overlay(
            """\
patches:
- patch: |-
    apiVersion: example.com/v1
    kind: ServingGroup
    metadata: {name: group}
    spec:
      roles:
      - name: decode
        template: {containers: [{name: main, args: [--merged]}]}
- patch: |-
    apiVersion: apps/v1
    kind: Deployment
    metadata: {name: server}
    spec: {template: {spec: {containers: [{name: main, args: [--merged]}]}}}
"""
        ),
        "base/kustomization.yaml": """\
resources: [deployment.yaml, custom.yaml]
openapi: {path: schema.json}
""",
        "base/schema.json": """\
{"definitions": {
  "pod": {"properties": {"containers": {
    "type": "array", "items": {"$ref": "#/definitions/container"},
    "x-kubernetes-patch-merge-key": "name", "x-kubernetes-patch-strategy": "merge"}}},
  "container": {"properties": {"name": {"type": "string"}}},
  "group": {
    "x-kubernetes-group-version-kind":
      [{"group": "example.com", "version": "v1", "kind": "ServingGroup"}],
    "properties": {"spec": {"properties": {"roles": {
      "type": "array",
      "items": {"properties": {"template": {"$ref": "#/definitions/pod"}}},
      "x-kubernetes-patch-merge-key": "name", "x-kubernetes-patch-strategy": "merge"}}}}}
}}
""",
    },
    "two bases with one object each": {
        "a/kustomization.yaml": "resources: [pod.yaml]\nnamePrefix: a-\n",
        "a/pod.yaml": """\
apiVersion: v1
kind: Pod
metadata: {name: p}
spec: {containers: [{name: c, image: x}]}
""",
        "b/kustomization.yml": """\
resources: [../a]
namePrefix: b-
images: [{name: x, newTag: b}]
""",
        "top/Kustomization": "bases: [../a, ../b]\nimages: [{name: x, newName: z}]\n",
    },
    "anchors and merge keys": {
        "top/kustomization.yaml": "resources: [pod.yaml]\nimages: [{name: x, newTag: v2}]\n",
        "top/pod.yaml": """\
apiVersion: v1
kind: Pod
metadata: {name: p}
spec:
  containers:
  - &c
    name: one
    image: x:v1
    args: &a [--port, "1"]
  - <<: *c
    name: two
  - name: three
    image: x
    args: *a
""",
    },
}
"""What a case is about, and its files; ``top`` is what is deployed."""
