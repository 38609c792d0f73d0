variable "TAG" {
  default = "v0.5.19"
}

target "serve" {
  context = "."
  args = { ENGINE_TAG = TAG }
}
